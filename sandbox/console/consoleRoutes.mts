import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';

/** The page's own files, in `page/`. */
const OWN = [
	'api.js',
	'app.js',
	'calendar.js',
	'callDetail.js',
	'calls.js',
	'campaigns.js',
	'clock.js',
	'console.css',
	'deliveries.js',
	'flow.js',
	'format.js',
	'icon.svg',
	'lib.js',
	'list.js',
	'now.js',
	'objects.js',
	'parts.js',
	'phones.js',
	'requests.js',
	'route.js',
	'scripts.js',
	'search.js',
	'stream.js',
	'theme.js',
	'variants.js',
	'walk.js',
	'walkFlow.js',
];

/** Modules of libraries, as their packages bring them. */
const LIBRARIES = {
	'preact.js': 'htm/preact/standalone',
	'dagre.js': '@dagrejs/dagre',
};

const TYPES: Record<string, string> = {
	'.css': 'text/css; charset=utf-8',
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.svg': 'image/svg+xml',
};

const HEADERS = {
	// A changed file is seen at once; an unchanged one is not sent again.
	'Cache-Control': 'no-cache',
	'Content-Security-Policy':
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	'Cross-Origin-Opener-Policy': 'same-origin',
	'Cross-Origin-Resource-Policy': 'same-origin',
	'Referrer-Policy': 'no-referrer',
	'X-Content-Type-Options': 'nosniff',
};

/** Where each of the console's files is on the disk, by path of the URL. No other file is served. */
export const CONSOLE_FILES = new Map<string, () => URL>([
	['/', () => new URL('page/index.html', import.meta.url)],
	...OWN.map((name): [string, () => URL] => [`/console/${name}`, () => new URL(`page/${name}`, import.meta.url)]),
	...Object.entries(LIBRARIES).map(([name, module]): [string, () => URL] => [
		`/console/${name}`,
		() => new URL(import.meta.resolve(module)),
	]),
]);

/** The console at `/`: a page for people, who see there what happens in the sandbox. */
export function consoleRoutes(server: FastifyInstance): void {
	for (const [path, locate] of CONSOLE_FILES) {
		server.get(path, async (request, reply) => {
			const content = await readFile(locate());
			const tag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
			reply.headers({ ...HEADERS, ETag: tag });
			if (request.headers['if-none-match'] === tag) {
				return await reply.code(304).send();
			}
			return await reply.type(TYPES[extname(path) || '.html']!).send(content);
		});
	}
}
