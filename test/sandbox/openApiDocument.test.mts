import { routes } from '../../sandbox/resources/index.mts';
import { expectGenerated } from '../docs/generated.mts';
import { openApiDocument } from '../docs/openApi/document.mts';
import { recordDeliveries, recordTours } from '../docs/openApi/recording.mts';
import { responseFieldsSource } from '../docs/responseFields.mts';

test('docs/openapi.json has the schemas of all routes, with examples that the sandbox sent', async () => {
	const exchanges = await recordTours(globalThis.sandbox.startSandbox, routes);
	const document = openApiDocument(routes, exchanges, await recordDeliveries(globalThis.sandbox.startSandbox));
	// Spectral reports each tab as a problem of its own.
	expectGenerated('docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`);
	expectGenerated('nodes/VoiceAgentCalling/operation/responseFields.ts', responseFieldsSource(document));
});
