// Writes docs/openapi.json: what the sandbox offers and answers, as an OpenAPI 3.1 document.
// With --check it writes nothing, and fails where the file is another one.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';

import { routes } from '../sandbox/resources/index.mts';
import { root } from './lib/places.mts';
import { openApiDocument } from './openapi/document.mts';
import { walk } from './openapi/walk.mts';

const file = join(root, 'docs', 'openapi.json');
const document = openApiDocument(routes, await walk(routes));
const { valid, errors } = await new Validator().validate(structuredClone(document));
if (!valid) {
	throw new Error(`The document is no valid OpenAPI: ${JSON.stringify(errors, null, '\t')}`);
}

const text = `${JSON.stringify(document, null, '\t')}\n`;
if (!process.argv.includes('--check')) {
	writeFileSync(file, text);
} else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
	console.error('docs/openapi.json is not what the sandbox offers and answers now: run "npm run openapi".');
	process.exitCode = 1;
}
