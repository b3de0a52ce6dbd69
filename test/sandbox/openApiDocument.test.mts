import { routes } from '../../sandbox/resources/index.mts';
import { expectGenerated } from '../docs/generated.mts';
import { openApiDocument } from '../docs/openApi/document.mts';
import { recordTours } from '../docs/openApi/recording.mts';
import { responseFieldsSource } from '../docs/responseFields.mts';

test('docs/openapi.json has the schemas of all routes, with examples that the sandbox sent', async () => {
	const exchanges = await recordTours(globalThis.sandbox.startSandbox, routes);
	const document = openApiDocument(routes, exchanges);
	expectGenerated('docs/openapi.json', `${JSON.stringify(document, null, '\t')}\n`);
	expectGenerated('nodes/VoiceAgentCalling/operation/responseFields.ts', responseFieldsSource(document));
});
