import { attempt, send, useLoaded } from './api.js';
import { plural } from './format.js';
import { html } from './lib.js';
import { ActionButton, Loaded, Panel } from './parts.js';

/** The sections in words. */
const SECTIONS = {
	agents: 'Agents',
	actions: 'Actions during a call',
	voices: 'Voice templates',
	numbers: 'Phone numbers',
	calls: 'Calls',
	campaigns: 'Campaigns',
	files: 'SFTP and files',
	trunks: 'SIP trunks',
	calendars: 'Calendars',
	webhooks: 'Webhooks and their logs',
	events: 'Events',
	signatures: 'Signatures',
	lists: 'Lists',
	answers: 'Answers',
	limits: 'Rate limit',
	errors: 'Errors',
};

/** A sentence with code between backticks. */
function sentence(text) {
	const [first, ...rest] = text.split('`');
	const parts = [`${first.charAt(0).toUpperCase()}${first.slice(1)}`, ...rest];
	return parts.map((part, index) => (index % 2 === 1 ? html`<code key=${index}>${part}</code>` : part));
}

/** What the service does otherwise than the sandbox assumes. */
export function Variants() {
	const variants = useLoaded('variants', ({ type }) => type === 'variants');
	const choose = (names) => attempt(() => send('POST', 'variants', { names }));
	return html`<${Loaded} from=${variants}>${(list) => {
		const chosen = list.filter((variant) => variant.chosen).map(({ name }) => name);
		const none =
			chosen.length > 0
				? html`<${ActionButton} class="small" onClick=${() => choose([])}>As the sandbox assumes</${ActionButton}>`
				: null;
		return html`<${Panel} title="Another service" actions=${none}>
			<p class="muted" role="status">${
				chosen.length === 0
					? 'Where the description is silent, the sandbox answers as it assumes. Choose what the service does otherwise.'
					: `The service differs in ${plural(chosen.length, 'answer')} from what the sandbox assumes. This stays after a reset.`
			}</p>
			${Object.entries(SECTIONS).map(
				([section, title]) =>
					html`<${Section} key=${section} title=${title} variants=${list.filter((variant) => variant.section === section)} chosen=${chosen} choose=${choose} />`,
			)}
		</${Panel}>`;
	}}</${Loaded}>`;
}

function Section({ title, variants, chosen, choose }) {
	const count = variants.filter((variant) => variant.chosen).length;
	const change = (name, on) => choose(on ? [...chosen, name] : chosen.filter((other) => other !== name));
	return html`<details>
		<summary>${title}${count > 0 ? ` (${count} chosen)` : ''}</summary>
		<fieldset>
			<legend class="hidden">${title}</legend>
			<ul class="plainList">${variants.map(
				({ name, does, chosen: on }) => html`<li key=${name}>
					<label class="inline check"><input type="checkbox" name=${name} checked=${on} onChange=${({ currentTarget }) => change(name, currentTarget.checked)} /> <span>${sentence(does)}. <small class="muted">${name}</small></span></label>
				</li>`,
			)}</ul>
		</fieldset>
	</details>`;
}
