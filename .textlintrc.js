// By file: a configuration in JSON can name packages only.
const own = (rule) => require.resolve(`./scripts/prose/${rule}.cjs`);

module.exports = {
	rules: {
		[own('doubledWord')]: true,
		[own('links')]: true,
		[own('sentenceLength')]: { max: 380 },
		'no-todo': true,
		terminology: {
			defaultTerms: true,
			exclude: [
				'cURL',
				'Linux',
				'OpenAPI',
				'readme(s)?',
				"URL['’]?s",
				'camel[-_ ]?case',
				'(?<=(?:\\w+[^.?!])? )internet\\b(?! explorer)',
				'V[ -]?S[ -]?Code',
				'host[- ]name(s)?',
				'file[- ]name(s)?',
				'user[- ]name(s)?',
				'web[- ]?site(s)?',
			],
			terms: [
				['web[ -]hook(s)?', 'webhook$1'],
				['work[ -]flow(s)?', 'workflow$1'],
				['time ?zone(s)?(?<!time zones?)', 'time zone$1'],
				['subworkflow(s)?', 'sub-workflow$1'],
				['voice[ -]mail(s)?', 'voicemail$1'],
				['call ?back(s)? URL', 'webhook URL'],
				['N8N\\b(?!_)', 'n8n'],
				['data ?base(s)?(?<!database)(?<!databases)', 'database$1'],
			],
		},
	},
};
