import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { root } from './places.mjs';

const bin = join(root, 'node_modules', '.bin');

/**
 * Makes n8n's configuration and ESLint available in the project's node_modules. They are installed separately because
 * n8n's tools need overrides, which this package must not have. Called every time, since npm removes the links when it
 * installs the project.
 */
export function linkLint() {
	const tool = join('node_modules', '@n8n', 'node-cli');
	link(join(root, 'tools', 'lint', tool), join(root, tool));
	write(join(bin, 'eslint'), "#!/usr/bin/env node\nrequire('../../tools/lint/eslint.cjs');\n");
	if (process.platform === 'win32') {
		write(join(bin, 'eslint.cmd'), '@node "%~dp0\\eslint" %*\r\n');
	}
}

function link(target, path) {
	if (existsSync(path) && realpathSync(path) === realpathSync(target)) {
		return;
	}
	rmSync(path, { recursive: true, force: true });
	mkdirSync(dirname(path), { recursive: true });
	try {
		symlinkSync(target, path, 'junction');
	} catch (error) {
		// Another command has created it in the meantime.
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
	// If this is a symbolic link of an installed ESLint, writing to it would overwrite ESLint's own file.
	rmSync(file, { force: true });
	writeFileSync(file, text, { mode: 0o755 });
}
