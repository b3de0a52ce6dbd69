import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';

import { completeDocument } from '../openApi/document.mts';

/** Forbids content from other servers and inline scripts. Scalar writes its own style elements. */
const POLICY = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self' 'unsafe-inline'",
	"img-src 'self' data: blob:",
	"font-src 'self' data:",
	"media-src 'self' blob:",
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Voice Agent Calling Service: API reference of the sandbox</title>
<link rel="icon" href="data:,">
<style>html, body { overflow-x: clip !important; } /* Scalar's list of notices is wider than a phone. */</style>
</head>
<body>
<main id="reference"></main>
<script src="/docs/scalar.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/**
 * Serves the API reference at `/docs`, by Scalar from a file of its npm package, and `/openapi.json`. Like the control
 * routes, they need no token and do not count against the rate limit.
 * @param token filled in for the requests that are sent from the page
 */
export function apiReference(server: FastifyInstance, token: string): void {
	const files: Record<string, [type: string, read: (origin: string) => string | Buffer | Promise<string>]> = {
		'/docs': ['text/html', () => PAGE],
		'/openapi.json': ['application/json', documentFor],
		'/docs/start.js': ['text/javascript', () => startScript(token)],
		'/docs/scalar.js': ['text/javascript', scalar],
	};
	for (const [path, [type, read]] of Object.entries(files)) {
		server.get(path, async (request, reply) => send(reply, type, await read(`${request.protocol}://${request.host}`)));
	}
}

function send(reply: FastifyReply, type: string, body: string | Buffer): FastifyReply {
	return reply
		.type(`${type}; charset=utf-8`)
		.headers({
			'Content-Security-Policy': POLICY,
			// Other pages must not load the script, which contains the token.
			'Cross-Origin-Resource-Policy': 'same-origin',
			'X-Content-Type-Options': 'nosniff',
			'Referrer-Policy': 'no-referrer',
			'Cache-Control': 'no-cache',
		})
		.send(body);
}

/** Returns the document with this sandbox as its server. */
async function documentFor(origin: string): Promise<string> {
	return JSON.stringify({ ...(await completeDocument()), servers: [{ url: origin, description: 'The sandbox' }] });
}

/** Reads Scalar's file for browsers. */
function scalar(): Buffer {
	const main = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
	return readFileSync(join(dirname(main), 'js', 'standalone.js'));
}

function startScript(token: string): string {
	const configuration = {
		url: '/openapi.json',
		withDefaultFonts: false,
		telemetry: false,
		hideClientButton: true,
		showDeveloperTools: 'never',
		authentication: {
			preferredSecurityScheme: 'environmentToken',
			securitySchemes: { environmentToken: { token } },
		},
	};
	return `Scalar.createApiReference('#reference', ${JSON.stringify(configuration)});\n`;
}
