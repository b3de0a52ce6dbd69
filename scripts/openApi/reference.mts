import { chromium } from 'playwright-core';

import { startSandbox } from '../../sandbox/server.mts';

/**
 * Opens the sandbox's page `/docs` in Chromium, sends a request from it, and opens it as on a phone.
 * @returns what is wrong with the page
 */
export async function checkReference(): Promise<string[]> {
	const sandbox = await startSandbox();
	const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args: ['--no-sandbox'] });
	try {
		const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
		const findings: string[] = [];
		page.on('request', (request) => {
			if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== sandbox.url) {
				findings.push(`The page loads ${request.url()}`);
			}
		});
		page.on('pageerror', ({ message }) => findings.push(`The page throws: ${message}`));
		page.on('console', (message) => {
			// The browser reports what the policy blocks as errors.
			if (message.type() === 'error') {
				findings.push(`The page reports: ${message.text()}`);
			}
		});
		await page.goto(`${sandbox.url}/docs`);
		await page.getByRole('heading', { name: 'Voice Agent Calling Service, as the sandbox has it' }).waitFor();
		await page.getByText('Check that the service is up').first().click();
		await page.getByRole('button', { name: 'Test Request' }).first().click();
		const answered = page.waitForResponse(`${sandbox.url}/api/v1/health`);
		await page.getByRole('button', { name: /^Send/ }).first().click();
		const status = (await answered).status();
		if (status !== 200) {
			findings.push(`A request sent from the page is answered with ${status}.`);
		}
		const phone = await browser.newPage({ viewport: { width: 400, height: 900 }, colorScheme: 'dark' });
		await phone.goto(`${sandbox.url}/docs`);
		await phone.getByRole('heading', { name: 'Voice Agent Calling Service, as the sandbox has it' }).waitFor();
		const sideways = await phone.evaluate('scrollTo(100, 0), scrollX');
		if (sideways !== 0) {
			findings.push(`On a phone of 400 pixels the page scrolls sideways by ${sideways}.`);
		}
		return findings;
	} finally {
		await browser.close();
		await sandbox.close();
	}
}
