import { expectGenerated } from '../../../docs/generated.mts';
import { numberingPlansSource } from './countryTable.mts';

test('numberingPlans.ts is up to date with the metadata of libphonenumber-js', () => {
	const generated = numberingPlansSource();
	expectGenerated('nodes/shared/phoneNumbers/numberingPlans.ts', generated);
	// It is part of the published package, so it must stay small.
	expect(generated.length).toBeLessThan(30_000);
});
