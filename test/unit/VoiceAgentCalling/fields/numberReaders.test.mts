import type { Field } from '../../../../nodes/shared/fields/field.ts';
import { loadCountries } from '../../../../nodes/shared/phoneNumbers/e164.ts';
import { resources } from '../../../../nodes/VoiceAgentCalling/resources/index.ts';
import { callIn } from '../../../../nodes/VoiceAgentCalling/resources/service/path.ts';
import { readField } from '../../../readField.mts';

beforeAll(loadCountries);

const readers = resources
	.flatMap((resource) => resource.operations.map((operation) => ({ resource, operation })))
	.flatMap(({ resource, operation }) =>
		[operation.fields, operation.options, operation.updates, operation.filters].flat().map((field) => ({
			name: `${resource.name} → ${operation.name}: ${field.properties[0]?.displayName}`,
			field,
			hasCountry: operation.options.some(({ key }) => key === 'defaultCountry'),
		})),
	)
	.filter(({ field }) => /^e\.g\. \+\d{8}/.test(field.properties[0]?.placeholder ?? ''));

function read(field: Field, given: unknown, defaultCountry?: string): string[] {
	const name = field.properties[0]?.name ?? '';
	// The country is an option: a field outside reads it from there, and an option reads it beside itself.
	const parameters = { [name]: given, defaultCountry, options: { defaultCountry } };
	try {
		const value = readField(field, parameters, { isConstant: (one) => one === name });
		if (typeof value === 'object' && value !== null && 'advice' in value) {
			const { number, advice } = value as { number?: string; advice: string };
			return [number ?? advice];
		}
		return typeof value === 'string' ? [value] : [...(value as Iterable<string>)];
	} catch (error) {
		const { message, advice } = error as { message: string; advice: string };
		return [`${message}. ${advice}`];
	}
}

test('these operations read numbers', () => {
	const withRules = ['Call → Check Before Calling', 'Call → Place', 'Call → Place and Wait'].concat(
		['Check Before Calling', 'Queue Call', 'Queue Call and Wait'].map((name) => `Campaign → ${name}`),
	);
	expect(readers.map(({ name }) => name).sort()).toEqual(
		[
			...withRules.flatMap((name) => [`${name}: Blocked Numbers`, `${name}: Phone Number`]),
			...['Create', 'Update'].map((name) => `Campaign → ${name}: Do Not Call Numbers`),
			'Agent Action → Create or Update: Transfer To',
			'Call → Get Active: Phone Number',
			'SIP Trunk → Add Number: Phone Number',
		].sort(),
	);
});

describe.each(readers)('$name', ({ name, field, hasCountry }) => {
	test('reads a number with +, however it is written', () => {
		const texts = ['+44 (0)20 7946-0958', '0044 20 7946 0958', "'+442079460958"];
		expect(texts.flatMap((text) => read(field, text))).toEqual(Array(3).fill('+442079460958'));
	});

	test('refuses a number without + and without a country', () => {
		const refusal = /has no country code|country code, for example.*'Default Country'/;
		expect(read(field, '442079460958')).toEqual([expect.stringMatching(refusal)]);
	});

	const isBlocked = name.endsWith('Blocked Numbers');
	const both = ['+49442079460958', '+442079460958'];

	if (isBlocked) {
		test.each([
			['442079460958', 'DE', both],
			['4402079460958', 'DE', ['+494402079460958', '+442079460958']],
			['442079460958', 'FR', ['+442079460958']],
			['33612345678', 'FR', ['+33612345678']],
			// Too short to call without its 0.
			['301234567', 'DE', ['+49301234567']],
			['871234567', 'IE', ['+353871234567']],
			['+49 030 1234567', undefined, ['+49301234567']],
			['+(205) 221-2310', 'US', ['+2052212310', '+12052212310']],
			['0442079460958', 'DE', both.slice(0, 1)],
		])('blocks every number that %s can be in %s', (text, country, numbers) => {
			expect(read(field, text, country)).toEqual(numbers);
		});

		test('refuses a number inside one town, and a number with a zero that means nothing there', () => {
			for (const text of ['5550123', '52.9248046875', '0301', '44 (0)20 7946 0958']) {
				expect(read(field, text, 'DE')).toEqual([expect.stringContaining('is not a phone number')]);
			}
		});
	} else if (hasCountry) {
		test('refuses what can be two numbers, and names both', () => {
			expect(read(field, '442079460958', 'DE')).toEqual([expect.stringContaining(both.join(' or '))]);
			expect(read(field, '0442079460958', 'DE')).toEqual(both.slice(0, 1));
		});
	}
});

test('Make API Request reads the number of a call without a country, and never guesses', () => {
	const numberIn = (to: unknown) => callIn('POST', ['agents', 'a', 'call'], { to })?.to;
	expect(numberIn('+44 20 7946-0958')).toBe('+442079460958');
	expect(numberIn('442079460958')).toBe('442079460958');
});
