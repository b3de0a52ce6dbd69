import { type Step, useStories } from '../../story.mts';

const { play, stories } = useStories();
const dids = '/sip-trunks/{trunk}/dids';
const add = (number: string, country_code = 'US'): Step => [`POST ${dids} 201 > did`, { number, country_code }];
const remove = (did: string): Step => [`DELETE ${dids}/{${did}} 200`];
/** Returns steps that assign numbers to the draft agent and publish it. */
const publishWith = (...phone_number_ids: string[]): Step[] => [
	['PUT /agents/{draftAgent}/calling 200', { direction: 'outbound', phone_number_ids }],
	['POST /agents/{draftAgent}/publish 200'],
];
const unpublish: Step = ['POST /agents/{draftAgent}/unpublish 200'];
const call = (status = 200): Step => [`POST /agents/{draftAgent}/call ${status}`, { to: '+12025550001' }];
const numbers = (expected: unknown): Step => ['GET /phone-numbers 200', { data: expected }];
const number = (fields: object) => expect.arrayContaining([expect.objectContaining(fields)]);

describe('the DIDs of a SIP trunk', () => {
	stories({
		'are phone numbers of the environment, each once, which can be called from': [
			[`POST ${dids} 409`, { number: '+13125550142', country_code: 'US' }, 'DID_ALREADY_EXISTS'],
			[`POST ${dids} 409`, { number: '+12025550123', country_code: 'US' }, 'DID_ALREADY_EXISTS'],
			[...add('+442079460999', 'GB'), { data: { formatted_number: '+442079460999', trunk_id: '{trunk}' } }],
			[`GET ${dids} 200`, { data: { length: 3 } }],
			numbers(number({ number: '+442079460999', type: 'voice', current_status: 'active' })),
			...publishWith('{did}'),
			call(),
			['GET /calls?per_page=1 200', { data: [{ from: '+442079460999' }] }],
		],
		'cannot be deleted while a published agent has them; a draft agent loses them': [
			add('+13125550177'),
			...publishWith('{did}', '{number}'),
			[`DELETE ${dids}/{did} 409`, 'DID_IN_USE'],
			unpublish,
			remove('did'),
			numbers(expect.not.arrayContaining([expect.objectContaining({ number: '+13125550177' })])),
			['GET /agents/{draftAgent} 200', { data: { phone_numbers: [{ id: '{number}' }] } }],
			add('+13125550177'),
		],
		'prevent the deletion of their trunk, as calls do': [
			[`GET ${dids} 200 > first=data.0.id`],
			[`GET ${dids} 200 > second=data.1.id`],
			...publishWith('{first}'),
			call(),
			unpublish,
			['DELETE /sip-trunks/{trunk} 409', 'active calls'],
			[`DELETE ${dids}/{first} 409`],
			['wait 60'],
			['DELETE /sip-trunks/{trunk} 409', 'TRUNK_HAS_DIDS'],
			remove('first'),
			remove('second'),
			['DELETE /sip-trunks/{trunk} 200'],
		],
		'are active while their trunk is': [
			add('+13125550177'),
			...publishWith('{did}'),
			call(),
			['PUT /sip-trunks/{trunk} 200', { password: 'new' }],
			numbers(number({ number: '+13125550177', current_status: 'inactive' })),
			['POST /sip-trunks/{trunk}/verify 200'],
			call(400),
			['PUT /sip-trunks/{trunk} 200', { is_active: true }],
			call(),
		],
	});
});

it.each([
	['domain', 'other.example.com'],
	['transport', 'tcp'],
	['username', 'other'],
	['password', 'other'],
	['auth_realm', 'other'],
])('a SIP trunk must be verified again, and is inactive, after a change of its %s', async (field, value) => {
	await play([
		['PUT /sip-trunks/{trunk} 422', { [field]: value, is_active: true }, 'is_active'],
		['GET /sip-trunks/{trunk} 200', { data: { is_active: true, is_verified: true } }],
		['PUT /sip-trunks/{trunk} 200', { [field]: value }, { data: { is_active: false, is_verified: false } }],
	]);
});
