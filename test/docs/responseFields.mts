/** The parts of an OpenAPI document that {@link responseFieldsSource} reads. */
interface Document {
	paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
	components: unknown;
}

/**
 * The source of `nodes/VoiceAgentCalling/operation/responseFields.ts`: a type with the name of every field that the
 * service's answers have, so that a misspelled name does not compile.
 */
export function responseFieldsSource({ paths, components }: Document): string {
	const names = new Set<string>();
	const collect = (value: unknown): void => {
		if (typeof value !== 'object' || value === null) {
			return;
		}
		const { properties } = value as { properties?: object };
		for (const name of Object.keys(properties ?? {})) {
			names.add(name);
		}
		Object.values(value).forEach(collect);
	};
	collect(components);
	for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
		collect((operation as { responses?: unknown }).responses);
	}
	return [
		'// Made from docs/openapi.json: npm run generate',
		'',
		"/** The name of a field in the service's answers. */",
		'export type ResponseField =',
		`${[...names]
			.sort()
			.map((name) => `\t| '${name}'`)
			.join('\n')};`,
		'',
	].join('\n');
}
