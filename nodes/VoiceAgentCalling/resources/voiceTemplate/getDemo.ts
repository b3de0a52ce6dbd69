import { unreadable } from '../../../shared/errors/serviceError';
import { onlyFor } from '../../../shared/fields/field';
import { text, toggle } from '../../../shared/fields/kinds';
import { isRecord } from '../../../shared/lib/isRecord';
import { voiceTemplate } from '../../../shared/pickers/locators';
import { defineOperation } from '../../operation/defineOperation';
import { ItemWithFile } from '../../operation/items';

const download = toggle('download', {
	displayName: 'Download',
	name: 'download',
	description:
		'Whether to download the audio as a file of up to 25 MB. Otherwise the output has only its URL, which expires soon.',
});

const outputField = text('outputField', {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
});

export const getDemo = defineOperation({
	name: 'Get Demo',
	value: 'getDemo',
	action: 'Get voice template demo',
	description: 'Get a sample of a voice as a URL or as an MP3 file. This can take some seconds.',
	fields: [voiceTemplate],
	options: [download, onlyFor('download', [true], outputField)],
	async run(api, { voiceTemplateId, download, outputField }) {
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
		const item = { voice_template_id: voiceTemplateId, mp3_url: address };
		if (!download) {
			return item;
		}
		const file = await api.download(address, `voice-${voiceTemplateId}.mp3`);
		return new ItemWithFile(item, { [outputField ?? 'data']: file });
	},
});
