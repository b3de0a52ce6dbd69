/** What a parameter needs besides it to make a difference. */
const needs: Record<string, Record<string, unknown>> = {
	// A number without a country code.
	defaultCountry: { phoneNumber: '0612345678' },
	doNotCallNumbers: { doNotCallList: 'custom' },
	ownerId: { ownerType: 'user' },
	ownerType: { ownerId: '33333333-3333-4333-8333-333333333333' },
	returnAll: { limit: 1 },
};

/** The parameters that a parameter needs beside it, with their values. */
export const beside = (name: string): Array<[parameter: string, value: unknown]> => Object.entries(needs[name] ?? {});
