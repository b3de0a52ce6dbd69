import { asList, asText, type SandboxClient, startClient } from '../sandbox/client.mts';
import { PICTURE_SCALE, takesPictures } from './chromium.mts';
import { openConsole } from './consolePage.mts';
import { keepPicture, themes } from './pictures.mts';

let service: SandboxClient;

beforeAll(async () => {
	service = await startClient({ seed: 7, startTime: Date.parse('2030-01-07T09:00:00Z'), speed: 0 });
	const agentId = asText((await service.control('seed')).agents!.published);
	const call = async (first_name: string, numbers: string[]) => {
		for (const number of numbers) {
			await service.api('POST', `/agents/${agentId}/call`, { to: `+12025550${number}`, payload: { first_name } });
		}
	};
	await call('Ada', ['001', '002', '003', '005']);
	await service.advance(900);
	await service.control('mode', { calls: 'manual' });
	await call('Grace', ['171', '164', '118']);
	await service.advance(4);
	const [answered] = asList((await service.control('calls?active=true')).items);
	await service.control(`calls/${asText(answered!.id)}/act`, { action: 'answer' });
	await service.advance(5);
});

afterAll(async () => await service.close());

test.each(themes)('the README shows the phones with the %s theme', async (colorScheme) => {
	const shown = await openConsole(service.url, { colorScheme, deviceScaleFactor: PICTURE_SCALE });
	await shown.page.locator('.row').first().waitFor();
	await shown.page.locator('.phone').first().waitFor();
	expect(await shown.page.locator('.phone.ringing').count()).toBe(2);
	const picture = await shown.page.screenshot({ animations: 'disabled' });
	if (takesPictures) {
		keepPicture(picture, `console-${colorScheme}`);
	}
	await shown.close();
});
