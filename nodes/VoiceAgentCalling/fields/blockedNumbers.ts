import { onlyByPerson } from '../../shared/errors/nodeError';
import { invalid } from '../../shared/errors/serviceError';
import { defineField, type FieldSource, local } from '../../shared/fields/field';
import { isBlank, isRecord } from '../../shared/lib/json';
import { countryOf } from '../../shared/phoneNumbers/e164';
import { entriesOf, NumberList } from './numberList';

const NAME = "'Blocked Numbers'";

/** Numbers that must not be called: an option of all operations that place, queue or check a call. */
export const blockedNumbers = local(
	defineField({
		key: 'blockedNumbers',
		ai: 'fixed',
		empty: {
			error: 'Enter numbers, or an expression that returns a list ([] for none). To block nobody, remove the option.',
		},
		once: true,
		properties: [
			{
				displayName: 'Blocked Numbers',
				name: 'blockedNumbers',
				type: 'string',
				typeOptions: { rows: 3 },
				default: '',
				placeholder: 'e.g. +12025550111, +12025550122',
				description:
					'Numbers that must not be called: their items get the result blocked. Separate them by commas or line breaks, or use an expression that returns a list of numbers. An entry may be a list, too: the numbers of one person. If an entry is not a phone number, no call is sent.',
			},
		],
		read: readBlocked,
		check: (zod) => zod.custom<NumberList>((value) => value instanceof NumberList),
	}),
);

/**
 * Makes the list. Reads it only if it differs for each item; see {@link NumberList.prepare}.
 *
 * @throws ServiceError
 */
function readBlocked({ get, asTool, isConstant, dependsOnItem }: FieldSource): NumberList | undefined {
	const given = entriesOf(NAME, get('blockedNumbers'), isConstant('blockedNumbers'));
	if (given === undefined) {
		return undefined;
	}
	const entries = isEmptyRow(given) ? [] : given;
	// A model must not choose the country, because it changes the numbers that the entries stand for.
	if (asTool && !isConstant('defaultCountry')) {
		throw onlyByPerson("'Default Country' with 'Blocked Numbers'");
	}
	// The country of one item does not apply to the list, so its entries need their own country codes.
	const isCountryOfItem = dependsOnItem?.('defaultCountry') === true;
	const wanted = isCountryOfItem ? undefined : get('defaultCountry');
	const { code: country, mistake } = isBlank(wanted) ? {} : countryOf(wanted);
	if (mistake !== undefined) {
		throw invalid(`'Default Country' cannot be ${JSON.stringify(wanted)}`, `${mistake}.`);
	}
	const countryAdvice = isCountryOfItem
		? "Enter the numbers of the list with + and the country code: 'Default Country' is an expression for each item, and does not apply to the list."
		: "Add 'Default Country' to Options, or correct the list.";
	const list = new NumberList(entries, { name: NAME, country, countryAdvice, isTyped: isConstant('blockedNumbers') });
	if (dependsOnItem?.('blockedNumbers')) {
		list.read();
	}
	return list;
}

/**
 * Whether a list is the item that n8n outputs for no rows if a node always has output data: without fields and files, and
 * paired with all input items. What a node that fails passes on is paired with one. As a person's numbers, it stands
 * alone in a list.
 */
function isEmptyRow(entries: readonly unknown[]): boolean {
	// Most lists are long: they are not looked through.
	const [only, ...others] = entries.length === 1 ? entries.flat().filter((entry) => !isBlank(entry)) : [];
	if (others.length > 0 || !isRecord(only) || !isRecord(only.json)) {
		return false;
	}
	const { json, binary = {}, pairedItem } = only;
	const isEmpty = (value: unknown) => isRecord(value) && Object.keys(value).length === 0;
	return isEmpty(json) && isEmpty(binary) && Array.isArray(pairedItem);
}
