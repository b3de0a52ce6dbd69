import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { cache } from '../../scripts/lib/places.mts';
import { inEditor, inNodes } from '../project/labels.mts';

const modules = join(cache, 'n8n', 'node_modules');

/** The English texts of n8n's editor, by their keys. */
function textsOfEditor(): Map<string, string> {
	const folder = join(modules, 'n8n-editor-ui', 'dist', 'assets');
	const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
	const sources = files.map((name) => readFileSync(join(folder, name), 'utf8'));
	const texts = sources.find((source) => source.includes('"menuActions.exportJson":`')) ?? '';
	return new Map([...texts.matchAll(/"([\w.-]+)":`((?:[^`\\]|\\.)*)`/g)].map(([, key, text]) => [key!, text!]));
}

test('n8n’s editor has the labels that pages name', () => {
	const texts = textsOfEditor();
	expect(texts.size).toBeGreaterThan(1000);
	const actual = Object.fromEntries(Object.entries(inEditor).map(([label, key]) => [label, texts.get(key)]));
	expect(actual).toEqual(Object.fromEntries(Object.keys(inEditor).map((label) => [label, label])));
});

test('n8n’s nodes and credentials have the labels that pages name', () => {
	const types = ['n8n-nodes-base', '@n8n/n8n-nodes-langchain'].flatMap((name) => {
		const lists = ['nodes', 'credentials'].map((list) => join(modules, name, 'dist', 'types', `${list}.json`));
		const all = lists.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as Array<{ name: string }>);
		return all.map((type) => ({ ...type, name: `${name}.${type.name}` }));
	});
	const labelsOf = (type: string) => JSON.stringify(types.filter(({ name }) => name === type));
	expect(types.length).toBeGreaterThan(400);
	const missing = Object.entries(inNodes).filter(
		([label, type]) => !labelsOf(type).includes(`ame":${JSON.stringify(label)}`),
	);
	expect(missing).toEqual([]);
});
