/** What Python passes to the script that waits until a page is quiet; times in ms. */
interface SettleOptions {
  quiet: number;
  late: number;
  most: number;
  isLast: boolean;
  isPatient: boolean;
}

interface Window {
  // In the page's own world, what main_world.js has installed.
  [name: string]: any;
  // In the world of the readers, keyed by Symbol.for("bwa.readers").
  [key: symbol]: any;
}
