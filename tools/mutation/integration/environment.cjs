'use strict';

const { writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');

const EngineEnvironment = require('../../../test/integration/environment.cjs');

/**
 * Notes which changes the hooks and tests of a file reach, in the folder that MUTATION_COVERAGE names. What runs while
 * the sources are loaded, such as a constant, is noted as `static`.
 */
module.exports = class extends EngineEnvironment {
	constructor(config, context) {
		super(config, context);
		this.testPath = context.testPath;
	}

	async handleTestEvent({ name }) {
		if (name === 'run_start' && process.env.MUTATION_COVERAGE) {
			await this.global.harness.loadPackage();
			(this.global.__stryker__ ??= {}).currentTestId = this.testPath;
		}
	}

	async teardown() {
		const { mutantCoverage } = this.global.__stryker__ ?? {};
		if (process.env.MUTATION_COVERAGE && mutantCoverage) {
			const name = `${process.pid}-${process.hrtime.bigint()}-${basename(this.testPath)}.json`;
			writeFileSync(join(process.env.MUTATION_COVERAGE, name), JSON.stringify(mutantCoverage));
		}
		await super.teardown();
	}
};
