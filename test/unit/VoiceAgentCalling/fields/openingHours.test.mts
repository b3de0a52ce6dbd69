import { readOpeningHours } from '../../../../nodes/VoiceAgentCalling/fields/openingHours.ts';
import { accepted, refused } from '../../../docs/openingHours.mts';
import { timeInCopies } from '../../../processorTime.mts';

const NAMES = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

/** Writes hours in the format of OpenStreetMap: days in a row with the same hours together, from Monday on. */
function written(text: string): string {
	const read = readOpeningHours(text);
	const ofDay = NAMES.map((_name, index) =>
		('week' in read ? (read.week[index + 1] ?? []) : []).map(({ from, to }) => `${from}-${to}`).join(),
	);
	return ofDay
		.map((hours, index) => {
			const end = ofDay.findIndex((other, later) => later > index && other !== hours);
			const last = (end === -1 ? NAMES.length : end) - 1;
			const isFirst = hours !== '' && hours !== ofDay[index - 1];
			return isFirst ? `${NAMES[index]}${last > index ? `-${NAMES[last]}` : ''} ${hours}` : '';
		})
		.filter((group) => group !== '')
		.join('; ');
}

test('the table has the texts of at least sixty people', () => {
	const texts = [...accepted, ...refused].map(([text]) => text);
	expect(new Set(texts).size).toBe(texts.length);
	expect(texts.length).toBeGreaterThanOrEqual(60);
});

test.each(accepted)('%j is %s', (text, meaning) => {
	expect(written(text)).toBe(meaning);
	// What it means can be entered, too.
	expect(written(meaning)).toBe(meaning);
});

test.each(refused)('%j is refused: it %s. %s', (text, mistake, advice) => {
	expect(readOpeningHours(text)).toEqual({ mistake, advice });
});

test('the hours that an advice suggests are accepted', () => {
	const time = String.raw`\d+(?::\d\d)?(?: [ap]m)?`;
	const ranges = refused.flatMap(([, , advice]) => advice.match(new RegExp(`${time}-${time}`, 'g')) ?? []);
	expect(ranges.length).toBeGreaterThan(20);
	expect(ranges.filter((range) => written(`Mon ${range}`) === '')).toEqual([]);
});

test.each([
	'Mon '.repeat(20_000),
	`Mon ${'9-12, '.repeat(20_000)}`,
	`Mon${' '.repeat(80_000)}x`,
	`Mon 9${' '.repeat(80_000)}x`,
	'9'.repeat(80_000),
])('a long text takes no long time', async (text) => {
	expect(await timeInCopies(text, () => readOpeningHours(text))).toBeLessThan(2000);
});
