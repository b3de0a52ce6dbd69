import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

/** Each piece of TypeScript in the guide, with the file that the text before it names last. */
function examples(): Array<{ file: string; code: string }> {
	const parts = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split(/```ts\n([\s\S]*?)```/);
	const texts = parts.filter((_, index) => index % 2 === 0);
	const codes = parts.filter((_, index) => index % 2 === 1);
	return codes.map((code, index) => ({
		file:
			texts[index]
				?.match(/`[\w./]+\.m?ts`/g)
				?.at(-1)
				?.slice(1, -1) ?? '',
		code,
	}));
}

test('the worked example of the guide is the code as it is', () => {
	expect(examples().length).toBeGreaterThanOrEqual(3);
	for (const { file, code } of examples()) {
		expect({ file, found: readFileSync(join(root, file), 'utf8').includes(code) }).toEqual({ file, found: true });
	}
});
