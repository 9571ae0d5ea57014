// Writes the checksums of the released programs into scripts/tools.json, for the versions that stand there. To be typed by
// whoever raises a version, on a machine that reaches the download host, and reviewed with the change: from then on set-up takes
// these archives and no others.
//   node scripts/pin-tools.mjs
import { runIfEntry } from './lib/entry.mjs';
import { note } from './lib/log.mjs';
import { archiveUrl, download, readTools, sha256, writeTools } from './lib/prebuilt.mjs';

await runIfEntry(import.meta.url, async () => {
  const tools = readTools();
  for (const [name, tool] of Object.entries(tools)) {
    tool.sha256 = {};
    for (const system of Object.keys(tool.systems)) {
      try {
        tool.sha256[system] = sha256(await download(archiveUrl(tool, system)));
        note(`${name} ${tool.version} for ${system}: ${tool.sha256[system]}`);
      } catch (error) {
        note(`${name} ${tool.version} for ${system}: ${error.message}; it will be compiled there`);
      }
    }
  }
  writeTools(tools);
});
