import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { root } from './places.mjs';

const bin = join(root, 'node_modules', '.bin');

/**
 * Lets eslint.config.mjs find n8n's configuration and `n8n-node lint` find ESLint, as if both were
 * installed with the rest. They are not: n8n's tools need overrides, which this package must not have.
 * Done each time, since an installation of the rest takes the links away.
 */
export function linkLint() {
	const tool = join('node_modules', '@n8n', 'node-cli');
	link(join(root, 'tools', 'lint', tool), join(root, tool));
	write(join(bin, 'eslint'), "#!/usr/bin/env node\nrequire('../../tools/lint/eslint.cjs');\n");
	if (process.platform === 'win32') {
		write(join(bin, 'eslint.cmd'), '@node "%~dp0\\eslint" %*\r\n');
	}
}

function link(target, place) {
	if (existsSync(place) && realpathSync(place) === realpathSync(target)) {
		return;
	}
	rmSync(place, { recursive: true, force: true });
	mkdirSync(dirname(place), { recursive: true });
	try {
		symlinkSync(target, place, 'junction');
	} catch (error) {
		// Another command has made it in between.
		if (error.code !== 'EEXIST') {
			throw error;
		}
	}
}

function write(file, text) {
	if (existsSync(file) && readFileSync(file, 'utf8') === text) {
		return;
	}
	mkdirSync(dirname(file), { recursive: true });
	// A link from an installation of ESLint's own would lead the text into its program.
	rmSync(file, { force: true });
	writeFileSync(file, text, { mode: 0o755 });
}
