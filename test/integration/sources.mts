import { harness } from './harness.mts';

harness.runSources((file) => jest.requireActual(file));
