import type { INodeProperties } from 'n8n-workflow';

/** The example in the placeholder of a property, "Ada" of "e.g. Ada"; undefined without a placeholder. */
export function exampleOf({ placeholder }: INodeProperties): string | undefined {
	return placeholder?.replace(/^e\.g\. /, '');
}
