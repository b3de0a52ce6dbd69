'use strict';

const { TestEnvironment } = require('jest-environment-node');

/** What n8n and the nodes ask with `instanceof` of values of each other, and the clock, which tests move. */
const SHARED = [
	...['Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'],
	...['Date', 'Map', 'Promise', 'Set'],
];

/**
 * Loads n8n's engine with Node's own module system and hands it to the test files as `harness`.
 * Inside jest's registry n8n-core would be transformed and loaded again for every test file; here it
 * is loaded once for each worker process.
 */
class EngineEnvironment extends TestEnvironment {
	async setup() {
		await super.setup();
		this.shareWithEngine();
		this.global.harness = await import('./engine/index.mts');
		this.global.harness.forgetPackage();
	}

	/** A test file, and the sources that it loads, have global objects of their own: these become the same as n8n's. */
	shareWithEngine() {
		for (const name of SHARED) {
			// What the language itself creates, such as the promise of an async function, is an instance of the shared one, too.
			Object.setPrototypeOf(this.global[name].prototype, globalThis[name].prototype);
			this.global[name] = globalThis[name];
		}
	}

	/** Tells the test file whether all of its tests run. */
	handleTestEvent({ name }, { testNamePattern, hasFocusedTests }) {
		if (name === 'run_start') {
			this.global.runsAllTests = !testNamePattern && !hasFocusedTests;
		}
	}

	async teardown() {
		await this.global.harness?.closeAll();
		await super.teardown();
	}
}

module.exports = EngineEnvironment;
