import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' };
import { getCountries, getExampleNumber } from 'libphonenumber-js/max';
import { DateTime } from 'luxon';

import { loadCountries } from '../../nodes/shared/phoneNumbers/e164.ts';
import { timeZonesOfNumber } from '../../nodes/VoiceAgentCalling/callRules/timeZonesOfNumber.ts';
import { root } from '../../scripts/lib/places.mts';
import { expectGenerated, withGenerated } from '../docs/generated.mts';
import { accepted, refused } from '../docs/openingHours.mts';

const PAGE = 'docs/reference/calling-hours.md';

const table = (heads: string[], rows: string[][]) =>
	[heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** A text in one line, in a cell. */
const code = (text: string) =>
	`\`${text
		.replace(/\s*\n\s*/g, ' ⏎ ')
		.replace(/\s+/g, ' ')
		.trim()}\``;

/** How many hours of a day are 9:00 to 20:00 in all zones, by luxon: the least and the most of a year. */
function commonHours(zones: readonly string[]): string {
	const days = Array.from({ length: 365 }, (_none, index) => DateTime.utc(2027, 1, 1).plus({ days: index }));
	const lengths = days.map(({ year, month, day }) => {
		const [from, to] = [9, 20].map((hour) =>
			zones.map((zone) => DateTime.fromObject({ year, month, day, hour }, { zone }).toMillis()),
		);
		return Math.max(0, Math.min(...to!) - Math.max(...from!)) / 3_600_000;
	});
	const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
	return most === 0 ? 'none' : least === most ? `${most}` : `${least} to ${most}`;
}

test(`${PAGE} has the hours that are read and refused, and those that countries with several zones have in common`, async () => {
	await loadCountries();
	const names = new Intl.DisplayNames('en', { type: 'region' });
	const countries = getCountries().flatMap((country) => {
		const zones = timeZonesOfNumber(String(getExampleNumber(country, examples)?.number), Date.UTC(2027, 0, 1));
		return zones.length > 1 ? [[`${names.of(country)}`, commonHours(zones)]] : [];
	});
	expect(countries.length).toBeGreaterThan(20);
	const parts = {
		accepted: table(
			['Written', 'Meaning'],
			accepted.map(([text, meaning]) => [code(text), code(meaning)]),
		),
		refused: table(
			['Written', "'Calling Hours' …", 'What to write'],
			refused.map(([text, mistake, advice]) => [code(text), mistake, advice]),
		),
		countries: table(['Country', 'Hours a day'], countries.sort()),
	};
	expectGenerated(PAGE, withGenerated(PAGE, parts));
	const of = Object.fromEntries(countries);
	const some = `${of['United States']} hours a day in the United States, ${of.Indonesia} in Indonesia, ${of.Russia} in Russia`;
	expect(readFileSync(join(root, 'docs/whom-and-when.md'), 'utf8')).toContain(some);
});
