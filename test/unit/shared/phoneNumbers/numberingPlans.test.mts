import { expectGenerated } from '../../../docs/generated.mts';
import { numberingPlansSource } from './countryTable.mts';

test('numberingPlans.ts has for each country what libphonenumber-js knows', () => {
	const made = numberingPlansSource();
	expectGenerated('nodes/shared/phoneNumbers/numberingPlans.ts', made);
	// It is a part of each installation.
	expect(made.length).toBeLessThan(13_000);
});
