import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { VoiceAgentCalling } from '../../nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts';
import { readEndpoints } from '../docs/coverage.mts';
import { read } from './sources.mts';

test('docs/contributing/coverage.md names each endpoint of the sandbox that no operation uses, and is short', () => {
	const page = read('docs/contributing/coverage.md');
	const unused = readEndpoints().filter(({ path, operations }) => path.startsWith('/api/') && operations.length === 0);
	expect(unused.length).toBeGreaterThan(0);
	const unnamed = unused.filter(({ method, path }) => !page.includes(`\`${method} ${path.replace('/api/v1', '')}\``));
	expect(unnamed).toEqual([]);
	expect(page.split(/\s+/).length).toBeLessThanOrEqual(300);
});

test('the first operation of each resource only reads, except where a call is what it is for', () => {
	const { properties } = new VoiceAgentCalling().description;
	const first = resources.map(({ name, value, operations }) => {
		const menu = properties.find(
			(property) => property.name === 'operation' && property.displayOptions?.show?.resource?.[0] === value,
		);
		return `${name} → ${operations.find((operation) => operation.value === menu?.default)?.name}`;
	});
	const writing = readEndpoints().filter(({ method }) => method !== 'GET');
	const writes = writing.flatMap(({ operations }) => operations.map(({ name }) => name));
	expect(first.filter((name) => writes.includes(name)).sort()).toEqual(['Call → Place', 'Campaign → Queue Call']);
});
