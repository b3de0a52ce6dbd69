// No circular imports, and a folder imports only from folders below it.

/**
 * Who imports whom: the layers of nodes/ and of sandbox/, from the top down. A folder imports only from layers below its
 * own, so the folders of one layer do not import one another. Every file belongs to a layer.
 */
const stacks = [
	[
		[
			'nodes/VoiceAgentCalling/VoiceAgentCalling.node.ts',
			'nodes/VoiceAgentCallingTrigger/VoiceAgentCallingTrigger.node.ts',
		],
		['nodes/VoiceAgentCalling/resources/', 'nodes/VoiceAgentCallingTrigger/delivery/'],
		['nodes/VoiceAgentCalling/run/', 'nodes/VoiceAgentCallingTrigger/registration/'],
		[
			'nodes/VoiceAgentCalling/waiting/',
			'nodes/VoiceAgentCalling/agents/apply/',
			'nodes/VoiceAgentCallingTrigger/parameters/',
		],
		['nodes/VoiceAgentCalling/agents/flows/'],
		['nodes/VoiceAgentCalling/callRules/', 'nodes/VoiceAgentCalling/agents/document/'],
		['nodes/VoiceAgentCalling/operation/'],
		['nodes/VoiceAgentCalling/fields/'],
		['nodes/shared/pickers/'],
		['nodes/shared/fields/'],
		['nodes/shared/events/'],
		['nodes/shared/client/'],
		['nodes/shared/triggerClient/'],
		['nodes/shared/triggerSecrets/'],
		['nodes/shared/keys.ts'],
		[
			'nodes/shared/phoneNumbers/',
			'nodes/shared/errors/',
			'nodes/shared/owner.ts',
			'nodes/shared/n8nInternals.ts',
			'nodes/shared/outputJson.ts',
			'nodes/shared/webhookResponse.ts',
		],
		['nodes/shared/lib/'],
	],
	[
		['sandbox/main.mts'],
		['sandbox/run.mts'],
		['sandbox/server.mts', 'sandbox/commandLine.mts'],
		['sandbox/console/', 'sandbox/docs/', 'sandbox/contract/'],
		['sandbox/control/', 'sandbox/openApi/'],
		['sandbox/state/', 'sandbox/seed/'],
		['sandbox/resources/index.mts'],
		[
			'sandbox/resources/calls/',
			'sandbox/resources/campaigns/',
			'sandbox/resources/calendars/',
			'sandbox/resources/sipTrunks/',
			'sandbox/resources/health.mts',
		],
		['sandbox/resources/agents/'],
		['sandbox/resources/webhooks/', 'sandbox/resources/numbersAndVoices/'],
		['sandbox/variants/'],
		['sandbox/http/', 'sandbox/engine/sftp/', 'sandbox/engine/trunkState.mts'],
		['sandbox/engine/calls/', 'sandbox/engine/freeSlots.mts'],
		['sandbox/engine/deliveries/'],
		['sandbox/world/'],
		['sandbox/time/', 'sandbox/options.mts'],
	],
];

const escaped = (path) => path.replaceAll('.', '\\.');

/**
 * A pattern for a file, or for the files of a folder without subfolders and files that are listed in `all` themselves.
 * So every path is in one layer only, and rules of nested folders do not overlap.
 */
function patternOf(path, all) {
	if (!path.endsWith('/')) {
		return `^${escaped(path)}$`;
	}
	const nested = all
		.filter((other) => other !== path && other.startsWith(path))
		.map((other) => {
			const rest = escaped(other.slice(path.length));
			return rest.endsWith('/') ? rest : `${rest}$`;
		});
	return `^${escaped(path)}${nested.length > 0 ? `(?!${nested.join('|')})` : ''}`;
}

const upward = stacks.flatMap((layers) => {
	const patterns = (paths) => paths.map((path) => patternOf(path, layers.flat()));
	return layers.flatMap((layer, level) =>
		layer.map((from) => ({
			name: `${from} imports only from folders below it`,
			severity: 'error',
			from: { path: patterns([from]) },
			to: { path: patterns([...layers.slice(0, level).flat(), ...layer.filter((other) => other !== from)]) },
		})),
	);
});

const withoutLayer = {
	path: '^(nodes|sandbox)/(?!jest)',
	pathNot: stacks.flatMap((layers) => layers.flat().map((path) => patternOf(path, layers.flat()))),
};

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		{ name: 'no circular imports', severity: 'error', from: {}, to: { circular: true } },
		...upward.filter(({ to }) => to.path.length > 0),
		...[
			{ from: withoutLayer, to: {} },
			{ from: {}, to: withoutLayer },
			{ from: { ...withoutLayer, orphan: true }, to: {} },
		].map((rule) => ({ name: 'every file belongs to a layer', severity: 'error', ...rule })),
		{
			name: 'the contract knows the sandbox only as a service, by its OpenAPI document',
			severity: 'error',
			from: { path: '^sandbox/contract/' },
			to: { path: '^sandbox/', pathNot: '^sandbox/(contract|openApi)/' },
		},
		{
			name: 'sandbox and nodes share no code',
			severity: 'error',
			from: { path: '^sandbox/' },
			to: { path: '^nodes/' },
		},
		{
			name: 'nodes and sandbox share no code',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: { path: '^(sandbox|scripts|test)/' },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		exclude: { path: 'node_modules' },
		// Include imports of types only.
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'nodes/tsconfig.json' },
		enhancedResolveOptions: { extensions: ['.ts', '.mts', '.mjs', '.js'] },
	},
};

// dependency-cruiser refuses a setting that it does not know, and does not see this property: it is for the tests.
Object.defineProperty(module.exports, 'stacks', { value: stacks });
