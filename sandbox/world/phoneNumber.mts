/** Matches a number in E.164: a plus and 7 to 15 digits, of which the first is not 0. */
export const E164 = /^\+[1-9]\d{6,14}$/;

/** A phone number of the environment. */
export interface PhoneNumber {
	id: string;
	number: string;
	country_code: string;
	formatted_number: string;
	international_number: string;
	current_status: 'active' | 'inactive' | 'pending' | 'suspended';
	created: number;
}

/** Formats `+1 202 555 0100`. Other numbers are returned unchanged: their groups differ by country and area. */
export function formatNumber(number: string): string {
	return number.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '+1 $1 $2 $3');
}
