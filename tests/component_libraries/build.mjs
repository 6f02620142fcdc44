// Bundles every screen into bundles/, with the licences of what they contain. "npm run build"
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const ALLOWED = /^(MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|CC0-1\.0|\(MIT OR .*\))$/;
const SCREENS = readdirSync("screens").sort();

rmSync("bundles", { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: SCREENS.map((name) => `screens/${name}`),
  outdir: "bundles",
  ...{ bundle: true, minify: true, splitting: true, format: "esm", metafile: true },
  ...{ jsx: "automatic", target: "chrome120", legalComments: "none", chunkNames: "shared-[hash]" },
  define: { "process.env.NODE_ENV": '"production"' },
});

const used = new Set();
for (const output of Object.values(metafile.outputs)) {
  for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) {
    const name = /^node_modules\/(?:.*\/node_modules\/)?((?:@[^/]+\/)?[^/]+)\//.exec(path);
    if (name && bytesInOutput) used.add(path.slice(0, path.indexOf(`${name[1]}/`, name.index) + name[1].length));
  }
}
const licences = [...used].sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  if (!ALLOWED.test(license)) throw new Error(`${name} has the licence ${license}`);
  const file = readdirSync(folder).find((entry) => /^licen[sc]e/i.test(entry));
  const text = file ? readFileSync(`${folder}/${file}`, "utf8").trim() : "";
  return `${name} ${version} (${license})\n\n${text}`;
});
writeFileSync("bundles/LICENSES.txt", `${licences.join(`\n\n${"-".repeat(80)}\n\n`)}\n`);

for (const name of readdirSync("bundles")) {
  writeFileSync(`bundles/${name}.gz`, gzipSync(readFileSync(`bundles/${name}`), { level: 9 }));
  rmSync(`bundles/${name}`);
}

const hash = createHash("sha256");
for (const path of [...SCREENS.map((name) => `screens/${name}`), "build.mjs", "package-lock.json"]) {
  hash.update(readFileSync(path));
}
writeFileSync("SOURCE_HASH", `${hash.digest("hex")}\n`);
