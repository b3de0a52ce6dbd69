'use strict';

const { TestEnvironment } = require('jest-environment-node');

/**
 * Loads the sandbox with Node's own module system and passes it to the test files as `sandbox`, with the global object
 * that it uses. It is loaded once per worker process; jest's registry would load it for every file.
 * Every response of a route is compared with the OpenAPI document; a difference fails the test in which it was sent.
 */
class SandboxEnvironment extends TestEnvironment {
	differences = [];

	async setup() {
		await super.setup();
		const { startSandbox } = await import('../../sandbox/server.mts');
		const { completeDocument } = await import('../../sandbox/openApi/document.mts');
		const check = await loadCheck();
		const onResponse = (request, response) => {
			const difference = check(request, response);
			if (difference) {
				this.differences.push(difference);
			}
		};
		this.global.sandbox = {
			startSandbox: (options) => startSandbox({ onResponse, ...options }),
			document: await completeDocument(),
			itsGlobal: globalThis,
		};
	}

	handleTestEvent({ name, test }) {
		if (name === 'test_done') {
			for (const difference of new Set(this.differences.splice(0))) {
				test.errors.push(
					new Error(`A response differs from the OpenAPI document, which has the schemas of the routes. ${difference}`),
				);
			}
		}
	}
}

let loaded;

/** Reads the document once for each worker process. */
async function loadCheck() {
	loaded ??= import('./responseCheck.mts').then(({ responseCheck }) => responseCheck());
	return await loaded;
}

module.exports = SandboxEnvironment;
