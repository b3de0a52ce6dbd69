'use strict';

const { TestEnvironment } = require('jest-environment-node');

/**
 * Hands `harness` to the test files. It is loaded once for each worker process with Node's own module system, so that
 * what it starts can outlive a test file, and ends with the worker. So is `sandbox`, for those that need no n8n.
 */
class N8nEnvironment extends TestEnvironment {
	async setup() {
		await super.setup();
		this.global.harness = await import('./harness.mts');
		this.global.sandbox = {
			startSandbox: async (options) => (await import('../../sandbox/server.mts')).startSandbox(options),
			itsGlobal: globalThis,
		};
	}

	async teardown() {
		await this.global.harness?.endOwnProcesses();
		await super.teardown();
	}
}

module.exports = N8nEnvironment;
