import { fits, hasForm, plansOf, splitCallingCode, withoutTrunk } from './plans';

/**
 * Checks a number with + by the numbering plans of its calling code.
 *
 * @param number in the format of E.164
 * @returns advice on how to correct it; undefined if it can be a number of any kind
 */
export function mistakeInNumber(number: string): string | undefined {
	const { callingCode, national } = splitCallingCode(number.slice(1)) ?? {};
	if (callingCode === undefined || national === undefined) {
		return 'It does not start with the calling code of a country: check the digits after +';
	}
	const possible = nationalNumbers(callingCode, national);
	if (possible.includes(national)) {
		return undefined;
	}
	const [rest, another] = new Set(possible);
	if (rest === undefined || another !== undefined) {
		return `It is not a valid number of +${callingCode}: check its digits`;
	}
	const trunk = national.slice(0, national.length - rest.length);
	return `Remove the ${trunk}, which is dialed only within the country: +${callingCode}${rest}`;
}

/**
 * What digits after a calling code stand for: a number of any kind, or else landlines and mobiles before which a trunk
 * prefix was left, as in +49 (0)30 1234567.
 *
 * @returns numbers without calling code
 */
export function nationalNumbers(callingCode: string, digits: string): string[] {
	const plans = plansOf(callingCode);
	if (plans.some((plan) => hasForm(digits, plan))) {
		return [digits];
	}
	return plans
		.map((plan) => ({ plan, rest: withoutTrunk(digits, plan) }))
		.filter(({ plan, rest }) => rest !== digits && digits.endsWith(rest) && fits(rest, plan))
		.map(({ rest }) => rest);
}

/**
 * Reads the zero in brackets of a number such as +49 (0)30 1234567. It is dropped where it is the trunk prefix, and kept
 * where numbers have no trunk prefix and begin with 0, as in Italy.
 *
 * @param callingCode without +; several countries may share it
 * @param digits the digits after the zero
 * @returns the digits after the calling code; undefined if the zero means nothing there, or not the same everywhere
 */
export function readTrunkZero(callingCode: string, digits: string): string | undefined {
	const readings = plansOf(callingCode).flatMap(({ trunk, form }) => {
		if (trunk === undefined) {
			return form.test(`0${digits}`) ? [`0${digits}`] : [];
		}
		return trunk.exec(`0${digits}`)?.[0] === '0' ? [digits] : [];
	});
	const [reading, another] = new Set(readings);
	return another === undefined ? reading : undefined;
}
