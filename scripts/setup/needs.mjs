import { join } from 'node:path';

import { prepareChromium } from './chromium.mjs';
import { prepareFaketime } from './faketime.mjs';
import { prepareFfmpeg } from './ffmpeg.mjs';
import { prepareFolder } from './install.mjs';
import { linkLint } from './lintLinks.mjs';
import { prepareNginx } from './nginx.mjs';
import { cache, root } from './places.mjs';
import { prepareServers } from './servers.mjs';

const ci = ['npm', 'ci', '--ignore-scripts', '--include=dev'];

/** Folders with a lock file, and how to install them. */
const folders = {
	project: { what: "the project's libraries and tools (1 minute, 600 MB)", folder: root, steps: [ci] },
	sandbox: {
		what: "the sandbox's libraries (some seconds, 35 MB)",
		folder: root,
		// The other packages of the lock file are for development only.
		only: ({ dev }) => !dev,
		steps: [['npm', 'ci', '--ignore-scripts', '--workspace=sandbox', '--omit=dev']],
	},
	lint: { what: "n8n's code checks (half a minute, 260 MB)", folder: join(root, 'tools', 'lint'), steps: [ci] },
	openapi: {
		what: "Redocly's and Spectral's rules, Prism and newman (half a minute, 280 MB)",
		folder: join(root, 'tools', 'openapi'),
		steps: [ci],
	},
	oldVersions: {
		what: 'Node.js 20 and 22, npm 10 and 11, to test with (half a minute, 220 MB)',
		manifests: join(root, 'tools', 'oldVersions'),
		folder: join(cache, 'oldVersions'),
		steps: [ci],
	},
	n8n: {
		what: 'n8n 2.41.1 (2 to 4 minutes, 2.2 GB)',
		manifests: join(root, 'tools', 'n8n'),
		folder: join(cache, 'n8n'),
		steps: [[...ci, '--legacy-peer-deps']],
		compile: [
			['npm', 'rebuild', 'sqlite3'],
			['node', '-e', "require('sqlite3')"],
		],
	},
};

/** Programs that are not on npm, with the environment variable that names them to the command. */
const programs = {
	chromium: async () => ({ CHROMIUM_PATH: await prepareChromium() }),
	databases: async () => await prepareServers(),
	faketime: async () => ({ FAKETIME_LIBRARY: await prepareFaketime() }),
	ffmpeg: async () => ({ FFMPEG_PATH: await prepareFfmpeg() }),
	nginx: async () => ({ NGINX_PATH: await prepareNginx() }),
};

/**
 * Installs what is missing, and adds to the environment of the toolchain what the command has to know.
 *
 * @param needs names of folders and programs, installed in this order
 * @throws Error for an unknown name, or if something cannot be installed
 */
export async function prepare(needs, toolchain) {
	const names = [...Object.keys(folders), ...Object.keys(programs)];
	const unknown = needs.find((need) => !names.includes(need));
	if (unknown !== undefined) {
		throw new Error(`There is no need "${unknown}". Needs: ${names.join(', ')}.`);
	}
	for (const need of needs) {
		if (Object.hasOwn(programs, need)) {
			Object.assign(toolchain.env, await programs[need]());
		} else {
			await prepareFolder(need, folders[need], toolchain);
		}
	}
	if (needs.includes('lint')) {
		linkLint();
	}
}
