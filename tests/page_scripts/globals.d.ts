/** What page.js installs in every document. */
interface PageApi {
  snapshot(options: { maxNodes: number }): string;
  stamp(): string;
  layout(): string;
  targetState(el: Element | null): string;
  changes(): number;
  textChanges(): number;
  placeholders(): Element[];
  isEmpty(): boolean;
  fading(): Element[];
  document(): string;
  element(key: string, number: number): Element | null;
  number(el: Element): number;
  listFound(el: Element): void;
  roleInList(el: Element): string;
  secret(node: Node): boolean;
  secrets: WeakSet<Node>;
}

/** What Python passes to the script that waits until a page is quiet; times in ms. */
interface SettleOptions {
  quiet: number;
  late: number;
  most: number;
  isLast: boolean;
}

interface Window {
  // Keyed by Symbol.for("bwa") and Symbol.for("bwa.quiet").
  [key: symbol]: any;
}
