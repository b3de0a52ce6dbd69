#!/usr/bin/env node
// The program. It checks the version of Node.js before it loads modules that depend on it. Do not import modules here.

/** The oldest Node.js that runs the sandbox; `engines` in package.json is the same. */
const OLDEST = '20.19.0';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const [oldestMajor = 0, oldestMinor = 0] = OLDEST.split('.').map(Number);
if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) {
	// The contract is a separate program, which uses the sandbox only as a service.
	await (process.argv[2] === 'contract' ? import('./contract/program.mts') : import('./run.mts'));
} else {
	process.stderr.write(`sandbox: It needs Node.js ${OLDEST} or newer, and this is ${process.version}.\n`);
	process.exitCode = 2;
}
