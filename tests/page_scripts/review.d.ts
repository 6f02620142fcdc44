/** What the server of the reviewer's page answers: pytest_bwa/review. */

interface Decision {
  hash: string;
  reviewer: string;
  time: string;
  sample_id: string;
  subject: string;
  field: string;
  decision: "accepted" | "corrected" | "rejected" | "commented" | "withdrawn";
  corrected_text: string;
  comment: string;
}

interface Picture {
  name: string;
  url: string;
  width: number;
  height: number;
  box: [number, number, number, number] | null;
  source_url: string;
  taken: string;
}

/** An action that waits for a person. */
interface Question {
  id: string;
  sample_id: string;
  task_id: string;
  what: string;
  to: string;
  fields: [string, string][];
  url: string;
  title: string;
  since: string;
  seconds: number;
  picture: Picture | null;
}

/** What names one thing to decide. */
interface EntryName {
  sample_id: string;
  subject: "value" | "judgment" | "sample";
  field: string;
}

interface QueuedEntry extends EntryName {
  name: string;
  text: string;
  source: string;
  why: string;
  crop: string | null;
  ending: string;
  doubted: boolean;
}

interface Group {
  id: string;
  where: string;
  why: string;
  page: string;
  samples: number;
  values: number;
  alike: boolean;
  shown: QueuedEntry[];
  entries?: QueuedEntry[];
}

interface Queue {
  version: number;
  groups: Group[];
  entries: QueuedEntry[];
  left: number;
}

interface Entry extends EntryName {
  name: string;
  text: string;
  type: string;
  question: string;
  description: string;
  label: string;
  source: string;
  how: string;
  url: string;
  frame: string;
  read: string;
  why: string;
  sample_why: string;
  crop: string | null;
  picture: Picture | null;
  file: string;
  judgment: {
    answer: string;
    confidence: number;
    reasoning: string;
    more: [string, string][];
    pictures: Picture[];
  } | null;
  siblings: {
    labels: { label: string; samples: number }[];
    values: { sample_id: string; text: string; label: string }[];
  } | null;
  sample: {
    ending: string;
    reason: string;
    notes: string[];
    inputs: [string, string][];
    changed: boolean;
    address: string;
    pictures: Picture[];
  };
  decision: Decision | null;
  history: Decision[];
  choices: string[] | null;
  result_sha256: string;
}

/** One screen: a group of many samples, what is open of one sample, or one entry. */
interface Stop {
  key: string;
  kind: "group" | "sample" | "entry";
  title: string;
  group?: Group;
  entries: QueuedEntry[];
}

interface Draw {
  hash: string;
  number: number;
  of: number;
  seed: string;
  reviewed: number;
  wrong: number;
  is_complete: boolean;
  statement: string;
}

interface Progress {
  finished: number;
  of: number;
  is_over: boolean;
  is_read: boolean;
  ended: string;
  kinds: Record<string, number>;
  to_review: number;
  open: number;
  decided: Record<string, number>;
  times: string;
  running: { worker: string; sample_id: string; step: number; max_steps: number; state: string; action: string; url: string }[];
  last: { sample_id: string; ending: string; marks: string[]; reason: string; steps: number }[];
  version: number;
}

interface RunState {
  run_id: string;
  task_id: string;
  title: string;
  reviewer: string;
  can_decide: boolean;
  draw: string | null;
  progress: Progress;
}

interface SignOff {
  name: string;
  role: string;
  remark: string;
  time: string;
  hash: string;
  head: string;
  decided: Record<string, number>;
}

/** What is to be signed. */
interface SignOffState {
  decided: Record<string, any>;
  head: string;
  signed: SignOff[];
}

/** Something that a person can do now: a key, a button and a line of the help. */
interface Command {
  keys: string[];
  label: string;
  help: string;
  run: (key: string) => unknown;
  isMain?: boolean;
  /** Not among the buttons at the foot. */
  isQuiet?: boolean;
}
