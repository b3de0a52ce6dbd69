import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';

/** The page's own files. The page itself has the path `/`. */
const OWN = readdirSync(new URL('page/', import.meta.url)).filter((name) => name !== 'index.html');

/** The only library, from its own package. */
const PREACT = 'htm/preact/standalone';

const TYPES: Record<string, string> = {
	'.css': 'text/css; charset=utf-8',
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.svg': 'image/svg+xml',
};

const HEADERS = {
	// The browser sees a changed file at once, and an unchanged file is not sent again.
	'Cache-Control': 'no-cache',
	'Content-Security-Policy':
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	'Cross-Origin-Opener-Policy': 'same-origin',
	'Cross-Origin-Resource-Policy': 'same-origin',
	'Referrer-Policy': 'no-referrer',
	'X-Content-Type-Options': 'nosniff',
};

/** The location of each of the console's files, by URL path. Other files are not served. */
export const CONSOLE_FILES = new Map<string, () => URL>([
	['/', () => new URL('page/index.html', import.meta.url)],
	...OWN.map((name): [string, () => URL] => [`/console/${name}`, () => new URL(`page/${name}`, import.meta.url)]),
	['/console/preact.js', () => new URL(import.meta.resolve(PREACT))],
]);

/** Serves the console at `/`: a page that shows people what happens in the sandbox. */
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
