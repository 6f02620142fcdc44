/** What page.js installs in every document. */
interface PageApi {
  snapshot(options: { maxNodes: number }): object;
  stamp(): string;
  changes(): number;
  document(): string;
  element(key: string, number: number): Element | null;
  number(el: Element): number;
  secret(node: Node): boolean;
  secrets: WeakSet<Node>;
}

interface Window {
  // Keyed by Symbol.for("bwa") and Symbol.for("bwa.quiet").
  [key: symbol]: any;
}
