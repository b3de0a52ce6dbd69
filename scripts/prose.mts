// Links, spelling and prose of what people read: node scripts/prose.mts [folder] (without a folder, after a build)
import { join, resolve } from 'node:path';

import { root } from './lib/places.mts';
import { brokenLinks } from './prose/links.mts';
import { proseFindings } from './prose/prose.mts';
import { misspellings } from './prose/spelling.mts';
import { readExamples, readNodes, readPages } from './prose/texts.mts';

const [other] = process.argv.slice(2);
const folder = resolve(other ?? root);
const tools = join(root, 'tools', 'prose');

const pages = readPages(folder);
const texts = [...pages, ...readExamples(folder), ...(other === undefined ? readNodes() : [])];
const findings = [
	...brokenLinks(pages, folder),
	...(await misspellings(texts, tools)),
	...(await proseFindings(texts, tools)),
];
for (const finding of findings) {
	console.log(finding);
}
process.exitCode = findings.length > 0 ? 1 : 0;
