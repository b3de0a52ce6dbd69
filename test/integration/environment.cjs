'use strict';

const { TestEnvironment } = require('jest-environment-node');

/**
 * Loads n8n's engine with Node's own module system and hands it to the test files as `harness`.
 * Inside jest's registry n8n-core would be transformed and loaded again for every test file; here it
 * is loaded once for each worker process.
 */
class EngineEnvironment extends TestEnvironment {
	async setup() {
		await super.setup();
		this.global.harness = await import('./engine/index.mts');
	}

	async teardown() {
		await this.global.harness?.closeAll();
		await super.teardown();
	}
}

module.exports = EngineEnvironment;
