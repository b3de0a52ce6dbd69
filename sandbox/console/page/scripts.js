import { attempt, send, useLoaded } from './api.js';
import { plural } from './format.js';
import { html, useState } from './lib.js';
import { ActionButton, Dialog, Field, Panel, Select } from './parts.js';

/** What a phone or the agent can do in a script; `do` and `by` as the route wants them, `field` is what the step needs. */
const STEPS = {
	answer: { title: 'Answer' },
	say: { title: 'The person says', field: 'text' },
	agentSays: { title: 'The agent says', do: 'say', by: 'agent', field: 'text' },
	press: { title: 'Press keys', field: 'keys' },
	useAction: { title: 'Use an action', field: 'action' },
	hangUp: { title: 'The person hangs up' },
	agentHangsUp: { title: 'The agent hangs up', do: 'hangUp', by: 'agent' },
	voicemail: { title: 'Voicemail answers' },
	decline: { title: 'Decline' },
	busy: { title: 'Busy' },
	noAnswer: { title: 'No answer' },
	fail: { title: 'Fail' },
};

/** What a field of a step may be. */
const FIELDS = {
	text: { label: 'Text', maxlength: 2000 },
	keys: { label: 'Keys', pattern: '[0-9*#A-D]{1,32}', title: '0 to 9, *, #, A to D' },
	action: { label: 'Name or ID of the action' },
};

const FIRST = [
	{ key: 1, after: '3', name: 'answer', text: '' },
	{ key: 2, after: '2', name: 'say', text: 'Yes, on Tuesday.' },
	{ key: 3, after: '4', name: 'hangUp', text: '' },
];

/** A step of the form as `POST /_sandbox/script` wants it. */
function stepOf({ after, name, text }) {
	const { do: action = name, by, field } = STEPS[name];
	return { after: Number(after), do: action, ...(by && { by }), ...(field && { [field]: text }) };
}

/** A step in words. */
function stepText({ do: name, by, text, keys, action, after }) {
	const key = by === 'agent' ? { say: 'agentSays', hangUp: 'agentHangsUp' }[name] : name;
	const what = text === undefined ? (keys ?? action) : `“${text}”`;
	return `${STEPS[key]?.title ?? name}${what === undefined ? '' : ` ${what}`}${after > 0 ? ` after ${after} s` : ''}`;
}

/** The scripts that wait for a call; nothing if there are none. */
export function Scripts() {
	const scripts = useLoaded('script', ({ type }) => type === 'script');
	if (!scripts.data?.length) {
		return null;
	}
	const clear = () => attempt(() => send('DELETE', 'script'), 'All scripts are removed.');
	return html`<${Panel} title="Scripts" actions=${html`<${ActionButton} class="small" onClick=${clear}>Remove all</${ActionButton}>`}>
		<ul class="plainList">
			${scripts.data.map(
				({ id, to, from, times, steps }) => html`<li key=${id} class="spread">
					<span>
						<strong>${times === 1 ? 'The next call' : `The next ${plural(times, 'call')}`}${to ? ` to ${to}` : ''}${from ? ` from ${from}` : ''}</strong><br />
						<span class="muted">${steps.map(stepText).join(' → ')}</span>
					</span>
					<${ActionButton} class="small" aria-label=${`Remove the script for ${to ?? from}`} onClick=${() => attempt(() => send('DELETE', `script/${id}`))}>Remove</${ActionButton}>
				</li>`,
			)}
		</ul>
	</${Panel}>`;
}

/** Says what happens in the next calls with a number. @param {{onClose: () => void}} props */
export function ScriptDialog({ onClose }) {
	const [steps, setSteps] = useState(FIRST);
	const change = (key, more) => setSteps((old) => old.map((step) => (step.key === key ? { ...step, ...more } : step)));
	const add = () =>
		setSteps((old) => [
			...old,
			{ key: Math.max(0, ...old.map(({ key }) => key)) + 1, after: '1', name: 'say', text: '' },
		]);
	const submit = async (event) => {
		event.preventDefault();
		const form = new FormData(event.currentTarget);
		const side = String(form.get('side'));
		const saved = await attempt(
			() =>
				send('POST', 'script', {
					[side]: String(form.get('number')).trim(),
					times: Number(form.get('times')),
					steps: steps.map(stepOf),
				}),
			'The script waits for its call.',
		);
		if (saved) {
			onClose();
		}
	};
	return html`<${Dialog} title="Script a call" onClose=${onClose}>
		<form onSubmit=${submit}>
			<div class="formRow">
				<${Field} label="Calls"><select name="side"><option value="to">to</option><option value="from">from</option></select></${Field}>
				<${Field} label="Number" wide><input name="number" required value="+12025550123" pattern="\\+[1-9][0-9]{6,14}" title="A number with + and country code" /></${Field}>
				<${Field} label="How many"><input type="number" name="times" min="1" max="100000" value="1" required /></${Field}>
			</div>
			<ol class="scriptSteps" aria-label="Steps">
				${steps.map(
					(step, index) => html`<li key=${step.key}>
						<${Field} label="After (s)"><input type="number" min="0" max="86400" step="any" required value=${step.after} onInput=${({ currentTarget }) => change(step.key, { after: currentTarget.value })} /></${Field}>
						<${Field} label="What happens"><${Select} value=${step.name} onChange=${(name) => change(step.key, { name })} options=${Object.entries(STEPS).map(([name, { title }]) => [name, title])} /></${Field}>
						${STEPS[step.name].field ? html`<${Field} label=${FIELDS[STEPS[step.name].field].label} wide><input ...${{ ...FIELDS[STEPS[step.name].field], label: undefined }} required autocomplete="off" value=${step.text} onInput=${({ currentTarget }) => change(step.key, { text: currentTarget.value })} /></${Field}>` : null}
						<button type="button" class="quiet" aria-label=${`Remove step ${index + 1}`} disabled=${steps.length === 1} onClick=${() => setSteps((old) => old.filter(({ key }) => key !== step.key))}>✕</button>
					</li>`,
				)}
			</ol>
			<p><button type="button" class="small" onClick=${add}>Add a step</button></p>
			<p class="muted">The first step counts from when the phone rings. If no step ends the call, you end it.</p>
			<div class="actions end"><button type="button" onClick=${onClose}>Cancel</button><button class="primary">Save</button></div>
		</form>
	</${Dialog}>`;
}
