import { unreadable } from '../../../shared/errors/serviceError';
import { isRecord } from '../../../shared/lib/json';
import { voiceTemplate } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';

export const getDemo = defineOperation({
	name: 'Get Demo',
	value: 'getDemo',
	action: 'Get voice template demo',
	description: 'Get the URL of a sample of a voice, which expires soon. This can take some seconds.',
	fields: [voiceTemplate],
	async run(api, { voiceTemplateId }) {
		const body = await api.request({
			method: 'GET',
			path: ['voice-templates', voiceTemplateId, 'demo'],
			codes: { 404: 'VOICE_TEMPLATE_NOT_FOUND', 500: 'DEMO_GENERATION_FAILED' },
		});
		// `demo_url` is the older name of `mp3_url`.
		const { mp3_url, demo_url } = isRecord(body.data) ? body.data : body;
		const address = mp3_url ?? demo_url;
		if (typeof address !== 'string') {
			throw unreadable('without the address of the demo');
		}
		return { voice_template_id: voiceTemplateId, mp3_url: address };
	},
});
