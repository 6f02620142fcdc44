/** What Python passes to the script that waits until a page is quiet; times in ms. */
interface SettleOptions {
  quiet: number;
  late: number;
  most: number;
  isLast: boolean;
}

interface Window {
  // Keyed by Symbol.for("bwa.quiet") and, in the world of the readers, Symbol.for("bwa.readers").
  [key: symbol]: any;
}
