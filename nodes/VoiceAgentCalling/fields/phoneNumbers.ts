import { invalid } from '../../shared/errors/serviceError';
import { defineField, type FieldSource, local, textual } from '../../shared/fields/field';
import { e164, issueOfNumber } from '../../shared/fields/kinds';
import { isBlank, isRecord } from '../../shared/lib/json';
import { countryOf, type ParsedNumber, parsePhoneNumber } from '../../shared/phoneNumbers/e164';

/** The country of phone numbers without a country code. */
export const defaultCountry = local(
	defineField({
		key: 'defaultCountry',
		empty: 'optional',
		properties: [
			{
				displayName: 'Default Country',
				name: 'defaultCountry',
				type: 'string',
				default: '',
				placeholder: 'e.g. DE, Germany or +49',
				description:
					'Country of phone numbers without +, such as DE, Germany or +49: 030 1234567 becomes +49301234567. Ambiguous numbers are rejected.',
			},
		],
		check: (zod) =>
			textual(
				zod,
				zod.string().transform((entered, context) => {
					const { code, mistake } = countryOf(entered);
					if (mistake === undefined) {
						return code;
					}
					context.addIssue({ code: 'custom', message: mistake });
					return zod.NEVER;
				}),
			),
	}),
);

/** The parameter of {@link phoneNumber}. */
const TO_CALL = 'phoneNumber';

/** Parses a phone number with the default country. @throws ServiceError `INVALID_INPUT` for an invalid country */
function readNumber({ get, asTool }: FieldSource, parameter = TO_CALL): ParsedNumber {
	const options = get('options');
	const country = isRecord(options) ? options.defaultCountry : undefined;
	const given = get(parameter);
	if ([given, country].some(isBlank)) {
		const parsed = parsePhoneNumber(given);
		const isAdded = isRecord(options) && 'defaultCountry' in options;
		return parsed.lacksCountry ? { ...parsed, advice: adviceWithoutCountry(parsed, asTool, isAdded) } : parsed;
	}
	const { code, mistake } = countryOf(country);
	if (mistake !== undefined) {
		throw invalid(`'Default Country' cannot be ${JSON.stringify(country)}`, `${mistake}.`);
	}
	return parsePhoneNumber(given, code);
}

/**
 * Returns the advice for a number without a country code. If the digits with + are a valid number, they may only have
 * lost their +, which a person can decide, but not a model.
 */
function adviceWithoutCountry({ given, advice }: ParsedNumber, asTool: boolean, isAdded: boolean): string {
	const orCountry = `${advice}, or ${isAdded ? "fill in 'Default Country', which is empty" : "add 'Default Country' to Options"}`;
	return asTool || parsePhoneNumber(`+${given}`).number === undefined
		? orCountry
		: `${orCountry}. If it begins with its country code already, write + before the expression in 'Phone Number'`;
}

/**
 * Makes the field for a phone number that is sent in E.164. Needs {@link defaultCountry} in Options.
 *
 * @param key the service's name
 * @param parameter only operations that call have {@link TO_CALL}: n8n keeps the value of a parameter when the user
 *   switches operations, but not what protects the call, such as Test Call
 */
function numberField<Key extends string>(key: Key, parameter: string, description: string) {
	return defineField({
		key,
		properties: e164(key, { displayName: 'Phone Number', name: parameter, required: true, description }).properties,
		codes: { empty: 'MISSING_PHONE_NUMBER', wrong: 'INVALID_PHONE_NUMBER' },
		read: (source) => {
			const parsed = readNumber(source, parameter);
			return isBlank(parsed.given) ? undefined : parsed;
		},
		check: (zod) =>
			zod.custom<ParsedNumber>().transform((parsed, context) => {
				if (parsed.number !== undefined) {
					return parsed.number;
				}
				context.addIssue(issueOfNumber(parsed));
				return zod.NEVER;
			}),
	});
}

/** The number to call. */
export const phoneNumber = numberField(
	'to',
	TO_CALL,
	'Number to call, with + and the country code. Numbers without + need the option Default Country. Spaces and punctuation are removed, and the number is checked before anything is sent.',
);

/** The number at the other end of a call. */
export const otherNumber = numberField(
	'phone',
	'otherNumber',
	'Number at the other end of the call, with + and the country code. Numbers without + need the option Default Country.',
);

/** Like {@link phoneNumber}, for an operation whose output reports an invalid number. */
export const anyPhoneNumber = defineField({
	key: 'to',
	properties: phoneNumber.properties,
	read: readNumber,
	check: (zod) => zod.custom<ParsedNumber>(),
});
