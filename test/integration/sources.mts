import { notShown } from './everyField/ran.mts';
import { harness } from './harness.mts';

harness.runSources((file) => jest.requireActual(file));

declare global {
	/** Whether no test of the file is left out. */
	var runsAllTests: boolean;
}

afterAll(() => {
	if (globalThis.runsAllTests) {
		expect(notShown(expect.getState().testPath ?? '')).toEqual([]);
	}
});
