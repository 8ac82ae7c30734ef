// Conveniences: without them the same is done by ordinary links and forms.

const $ = (selector, from = document) => from.querySelector(selector)
const said = $('#said')

// say tells readers of the screen what changed.
function say(text) { said.textContent = text.trim() }

// part fetches a page without its frame.
async function part(address, signal) {
  const url = new URL(address, location.href)
  url.searchParams.set('part', '1')
  url.hash = ''
  const answer = await fetch(url, { signal })
  if (!answer.ok) throw new Error(answer.statusText)
  return answer.text()
}

function fragment(html) {
  const holder = document.createElement('template')
  holder.innerHTML = html
  return holder.content
}

// lost is what stands where no answer came, for everybody to see.
function lost(text) {
  const line = document.createElement('p')
  line.className = 'remark'
  line.setAttribute('role', 'alert')
  line.textContent = text
  return line
}

// waiting marks what is being fetched for, once that takes longer than one
// notices, and returns how to take the mark away.
function waiting(shown) {
  const timer = setTimeout(() => {
    shown.setAttribute('aria-busy', 'true')
    if (!$('[data-item]', shown)) shown.classList.add('skeleton')
  }, 200)
  return () => { clearTimeout(timer); shown.removeAttribute('aria-busy'); shown.classList.remove('skeleton') }
}

// whole fetches a page and returns what stands in the element with the id.
async function whole(address, id, signal) {
  const answer = await fetch(address, { signal })
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  return page.getElementById(id) ?? $('main', page)
}

// Lists that go on: what is further is fetched before it is reached.

const ahead = new IntersectionObserver(seen => {
  for (const { isIntersecting, target } of seen) if (isIntersecting) extend(target)
}, { rootMargin: '800px 0px' })

function watch(root) { for (const more of root.querySelectorAll('.more')) ahead.observe(more) }

async function extend(more) {
  if (more.dataset.busy) return
  more.dataset.busy = '1'
  ahead.unobserve(more)
  const list = more.parentElement, before = more.dataset.more === 'before'
  try {
    const piece = fragment(await part($('a', more).href))
    // The other end of what came is the end that is shown already.
    for (const other of piece.querySelectorAll('.more')) if (other.dataset.more !== more.dataset.more) other.remove()
    const height = document.documentElement.scrollHeight, top = scrollY
    const first = more.nextElementSibling
    if (before && first?.classList.contains('day')) {
      const days = piece.querySelectorAll('.day')
      if (days.length && days[days.length - 1].dataset.day === first.dataset.day) first.remove()
    }
    const came = [...piece.children]
    more.replaceWith(piece)
    if (before) scrollTo({ top: top + document.documentElement.scrollHeight - height, behavior: 'instant' })
    for (const child of came) if (child.classList.contains('more')) ahead.observe(child)
    if (list.dataset.shown) remember(list)
  } catch {
    delete more.dataset.busy
    $('a', more).textContent = 'This could not be loaded. Does msgbrowse still run? Try again'
  }
}

// remember keeps in the address how many results are shown, so that coming
// back shows them again.
function remember(list) {
  const url = new URL(location.href)
  url.searchParams.set('shown', list.querySelectorAll('[data-item]').length)
  history.replaceState(history.state, '', url)
}

// Fields that answer as one types.

for (const form of document.querySelectorAll('form[data-live]')) {
  $('button', form).hidden = form.matches('.filters')
  let timer, running, waited
  const run = async () => {
    running?.abort()
    running = new AbortController()
    const url = new URL(form.action), id = form.dataset.live.slice(1)
    for (const [name, value] of new FormData(form)) if (value) url.searchParams.set(name, value)
    const shown = document.getElementById(id)
    waited?.()
    const done = waited = waiting(shown)
    try {
      const fresh = await whole(url, id, running.signal)
      done()
      shown.replaceChildren(...fresh.childNodes)
      history.replaceState(null, '', url)
      watch(shown)
      say($('[data-say]', shown)?.textContent ?? '')
    } catch (failure) {
      if (failure.name === 'AbortError') return
      done()
      shown.replaceChildren(lost('No answer came. Does msgbrowse still run? Press Enter to try again.'))
    }
  }
  const later = () => { clearTimeout(timer); timer = setTimeout(run, 150) }
  form.addEventListener('input', later)
  form.addEventListener('submit', event => { event.preventDefault(); clearTimeout(timer); run() })
}

// A calendar beside the conversation, where there is room for it.

async function swap(selector, address) { $(selector).replaceChildren(fragment(await part(address))) }

const calendar = $('[data-load]')
async function loadCalendar() {
  if (!calendar?.checkVisibility()) return
  calendar.setAttribute('aria-busy', 'true') // a frame of its true size
  try {
    await swap('#calendar', calendar.dataset.load)
    const month = $(`[data-number="${calendar.dataset.month}"]`, calendar)
    if (month) calendar.scrollTop += month.getBoundingClientRect().top - calendar.getBoundingClientRect().top - 40
  } catch {
    const link = document.createElement('a')
    link.href = calendar.dataset.load
    link.textContent = 'Calendar'
    calendar.replaceChildren(link)
  }
  calendar.removeAttribute('aria-busy')
}
loadCalendar()

// The transcript opens where one was.

const talk = $('.talk')
if (talk) {
  history.scrollRestoration = 'manual' // the address says where one was
  const opens = talk.dataset.opens
  const near = new URL(location.href).searchParams.get('near')
  if (opens === 'target') $('.target').scrollIntoView({ block: 'center' })
  else if (opens === 'near') document.getElementById('m' + near)?.scrollIntoView({ block: 'start' })
  else if (opens === 'end') $('#end').scrollIntoView({ block: 'end' })
  let timer
  const began = scrollY
  addEventListener('scroll', () => { clearTimeout(timer); timer = setTimeout(keep, 300) }, { passive: true })
  const keep = () => {
    if (Math.abs(scrollY - began) < 40) return
    const first = [...talk.querySelectorAll('.msg')].find(m => m.getBoundingClientRect().top >= 40)
    if (!first) return
    const url = new URL(talk.dataset.base, location.href)
    if (new URL(location.href).searchParams.has('missing')) url.searchParams.set('missing', '1')
    url.searchParams.set('near', first.id.slice(1))
    history.replaceState(history.state, '', url)
  }
}
requestAnimationFrame(() => requestAnimationFrame(() => watch(document)))

// Work in the background is asked how far it is until it ends.

const job = $('[data-poll]')
let told = -1 // the last tenth that was said
function tellProgress() {
  const bar = $('progress[value]', job)
  if (!bar || Math.floor(bar.value / 10) === told) return
  told = Math.floor(bar.value / 10)
  say(`${$('h2, h3', job)?.textContent ?? ''}: ${bar.value} %`)
}
async function poll() {
  try {
    job.replaceChildren(fragment(await part(job.dataset.poll)))
    tellProgress()
  } catch { // the server may be back in a moment
    if (!$('.remark', job)) $('[data-running]', job)?.append(lost('No answer came. Does msgbrowse still run? It is asked again.'))
  }
  if ($('[data-running]', job)) setTimeout(poll, 1000)
  else location.reload()
}
if (job) setTimeout(poll, 500)

// Lines that tell what is so now.

const live = $('[data-refresh]')
if (live) setInterval(() => { if (!document.hidden) swap('[data-refresh]', live.dataset.refresh).catch(() => {}) }, 3000)

// Forms whose answer is a part, so that what was typed stays.

document.addEventListener('submit', async event => {
  const button = event.submitter, into = button?.dataset.into && $(button.dataset.into)
  if (!into) return
  event.preventDefault()
  button.disabled = true
  into.textContent = 'Asking…'
  const url = new URL(button.formAction)
  url.searchParams.set('part', '1')
  try {
    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(new FormData(event.target)) })
    into.replaceChildren(fragment(await answer.text()))
  } catch { into.textContent = 'No answer. Does msgbrowse still run?' }
  button.disabled = false
})

// Copying.

for (const button of document.querySelectorAll('[data-copy], [data-copy-link]')) {
  button.hidden = !navigator.clipboard
  button.addEventListener('click', async () => {
    const text = button.dataset.copy ?? new URL(button.dataset.copyLink, location.href).href
    try {
      await navigator.clipboard.writeText(text)
      say('Copied')
      const old = [...button.childNodes]
      button.replaceChildren('Copied')
      setTimeout(() => button.replaceChildren(...old), 1500)
    } catch {
      say('The browser did not allow copying; the citation stands under "Where it was read".')
    }
  })
}

// Pictures open over the page; links inside the calendar stay on it.

const viewer = $('#viewer')
document.addEventListener('click', event => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return
  const link = event.target.closest('a')
  if (link?.dataset.swap) {
    event.preventDefault()
    swap(link.dataset.swap, link.href).catch(() => { location.href = link.href })
  } else if (link?.dataset.view) {
    event.preventDefault()
    view(link)
  }
})

function view(link) {
  const shown = document.createElement(link.dataset.view === 'video' ? 'video' : 'img')
  shown.src = link.href
  if (link.dataset.view === 'video') shown.controls = true
  else shown.alt = $('img', link)?.alt ?? 'Picture'
  const figure = $('figure', viewer)
  figure.replaceChildren(shown)
  if (link.dataset.message) {
    const caption = document.createElement('figcaption'), there = document.createElement('a')
    there.href = link.dataset.message
    there.textContent = link.dataset.caption
    caption.append(there)
    figure.append(caption)
  }
  viewer.showModal()
}
viewer.addEventListener('close', () => $('figure', viewer).replaceChildren())

// Keys.

let prefix = -Infinity // when g was pressed
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || $('dialog[open]')) return
  if (event.target.closest('input, select, textarea, [contenteditable]')) {
    if (event.key === 'Escape') event.target.blur()
    return
  }
  if (event.timeStamp - prefix < 1200) {
    prefix = -Infinity
    const page = $(`.rail [data-key="${CSS.escape(event.key)}"]`)
    if (page) { event.preventDefault(); page.click() }
    return
  }
  switch (event.key) {
    case 'g': prefix = event.timeStamp; break
    case '?': $('#help').showModal(); break
    case '/': {
      event.preventDefault()
      const field = $('main input[type=search]')
      if (field) { field.focus(); field.select() } else location.href = '/search'
      break
    }
    case 'j': step(1); break
    case 'k': step(-1); break
    case 'Enter': if (event.target.matches?.('.msg')) $('.when', event.target).click()
  }
})

// step moves the focus to the next message, result or row, or to the one
// before.
function step(by) {
  const items = [...document.querySelectorAll('[data-item]')]
  if (!items.length) return
  let at = items.findIndex(item => item.contains(document.activeElement))
  if (at < 0) {
    at = items.findIndex(item => item.getBoundingClientRect().top >= 0)
    if (by > 0) at--
  }
  const item = items[Math.min(Math.max(at + by, 0), items.length - 1)]
  const focused = item.matches('.msg') ? item : $('a', item) ?? item
  if (focused === item) item.tabIndex = -1
  focused.focus({ preventScroll: true })
  item.scrollIntoView({ block: 'nearest' })
}
