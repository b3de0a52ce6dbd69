'use strict';

const { TestEnvironment } = require('jest-environment-node');

/**
 * Hands `harness` to the test files. It is loaded once for each worker process with Node's own module system, so that
 * what it starts can outlive a test file, and ends with the worker.
 */
class N8nEnvironment extends TestEnvironment {
	async setup() {
		await super.setup();
		this.global.harness = await import('./harness.mts');
	}

	async teardown() {
		await this.global.harness?.endOwnProcesses();
		await super.teardown();
	}
}

module.exports = N8nEnvironment;
