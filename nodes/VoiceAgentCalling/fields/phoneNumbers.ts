import { isRecord } from '../../shared/errors/serviceError';
import { defineField } from '../../shared/fields/field';
import { e164 } from '../../shared/fields/kinds';
import { invalid } from '../../shared/fields/readFields';
import { adviceOn, countryOf, toE164 } from '../../shared/phoneNumbers/e164';

/** A phone number as it was entered, and where it belongs if it has no country code. */
class Entered {
	readonly number: unknown;

	readonly country: string;

	constructor(number: unknown, country: string) {
		this.number = number;
		this.country = country;
	}
}

export const defaultCountry = defineField({
	key: 'defaultCountry',
	properties: [
		{
			displayName: 'Default Country',
			name: 'defaultCountry',
			type: 'string',
			default: '',
			placeholder: 'e.g. DE',
			description:
				'Where phone numbers without + and country code belong, as two letters: with DE, 030 1234567 is +49301234567. Numbers with + stay as they are. What can be read in two ways is refused.',
		},
	],
	check: (zod) =>
		zod.string().transform((written, context) => {
			const { code, mistake } = countryOf(written);
			if (mistake === undefined) {
				return code;
			}
			context.addIssue({ code: 'custom', message: mistake });
			return zod.NEVER;
		}),
});

/** The number to call. Goes with {@link defaultCountry} in Options. */
export const phoneNumber = defineField({
	key: 'to',
	properties: e164('to', {
		displayName: 'Phone Number',
		name: 'phoneNumber',
		required: true,
		description:
			'Number to call, with + and the country code, or as it is written in the Default Country of Options. Blanks and punctuation are removed. It is checked before anything is sent.',
	}).properties,
	read: ({ get }) => {
		const options = get('options');
		const country = isRecord(options) ? options.defaultCountry : undefined;
		const number = get('phoneNumber');
		if ([number, country].some((value) => value === undefined || value === null || value === '')) {
			return number;
		}
		const { code, mistake } = countryOf(country);
		if (mistake !== undefined) {
			throw invalid(`'Default Country' cannot be ${JSON.stringify(country)}`, `${mistake}.`);
		}
		return new Entered(number, code);
	},
	check: (zod) =>
		zod.unknown().transform((value, context) => {
			const { number, country } = value instanceof Entered ? value : { number: value, country: undefined };
			const whole = toE164(number, country);
			if (whole !== undefined) {
				return whole;
			}
			const orCountry = country === undefined && !String(number).includes('+');
			const message = adviceOn(number, country) + (orCountry ? ", or add 'Default Country' to Options" : '');
			context.addIssue({ code: 'custom', message });
			return zod.NEVER;
		}),
});

/** A number as it was given, and in E.164, or else what to do about it. */
export interface GivenNumber {
	given: unknown;
	number: string | undefined;
	advice: string;
}

/** The number to call where it is a result that it is none: it is read as {@link phoneNumber} is. */
export const anyPhoneNumber = defineField({
	key: 'to',
	properties: phoneNumber.properties,
	// Within an object, since what is empty would be refused before the check gets it.
	read: (source) => {
		const given = source.get('phoneNumber');
		return { given, entered: phoneNumber.read ? phoneNumber.read(source) : given };
	},
	check: (zod) => {
		const number = phoneNumber.check(zod);
		return zod.object({ given: zod.unknown(), entered: zod.unknown() }).transform(({ given, entered }): GivenNumber => {
			const { data, error } = number.safeParse(entered);
			return { given, number: data, advice: error ? `${error.issues[0].message}.` : '' };
		});
	},
});
