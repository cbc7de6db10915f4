-- Run by test_neovim.py in Neovim, with the lines of the documentation: writes what is seen to seen.json.

local OURS, OTHER = "jaxtyping_core", "basedpyright"
local seen, raw = {}, {}

local publish = vim.lsp.handlers["textDocument/publishDiagnostics"]
vim.lsp.handlers["textDocument/publishDiagnostics"] = function(error, result, context)
  raw[vim.lsp.get_client_by_id(context.client_id).name] = result.diagnostics
  return publish(error, result, context)
end

local function wait(what, is_so)
  if not vim.wait(150000, is_so, 50) then
    io.stderr:write("Neovim waited in vain for " .. what .. "\n")
    vim.cmd("cquit 1")
  end
end

local function text() return vim.api.nvim_buf_get_lines(0, 0, -1, false) end

local function at(pattern)
  for number, line in ipairs(text()) do
    local column = line:find(pattern, 1, true)
    if column then return vim.api.nvim_win_set_cursor(0, { number, column - 1 }) end
  end
  error(pattern)
end

local function diagnostics()
  return vim.tbl_map(function(d) return { d.source, d.lnum + 1, d.message } end, vim.diagnostic.get(0))
end

--- What stands in the window that hovering opens.
local function hover()
  local before, found = vim.api.nvim_list_wins(), nil
  vim.lsp.buf.hover()
  wait("a hover", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if not vim.list_contains(before, window) then found = window end
    end
    return found
  end)
  local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(found), 0, -1, false)
  vim.api.nvim_win_close(found, true)
  return lines
end

wait("diagnostics", function() return #(raw[OURS] or {}) == 2 end)
seen.alone = diagnostics()
wait("hints", function() return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0 end)
vim.cmd("redraw!")
local hints = vim.api.nvim_get_namespaces()["nvim.lsp.inlayhint"]
seen.hints = vim.tbl_map(
  function(mark) return { mark[2] + 1, vim.iter(mark[4].virt_text):map(function(part) return part[1] end):join("") } end,
  vim.api.nvim_buf_get_extmarks(0, hints, 0, -1, { details = true })
)
at("hidden =")
seen.hover = hover()

dofile("init1.lua")
vim.lsp.config(OTHER, {
  cmd = { "basedpyright-langserver", "--stdio" },
  filetypes = { "python" },
  root_markers = { "pyproject.toml" },
  settings = { python = { pythonPath = vim.fn.exepath("python") } },
})
vim.lsp.enable(OTHER)
vim.cmd.doautocmd("FileType") -- for the file that is open: this runs before Neovim has started
wait("the other server", function() return #(raw[OTHER] or {}) > 0 end)
vim.wait(200)
seen.other = vim.tbl_map(function(d) return { d.source, d.range.start.line + 1, d.message } end, raw[OTHER])
seen.beside = diagnostics()
seen.hovers = {}
for _, place in ipairs({ "hidden =", "inputs @", "x * 2", "twice\n" }) do
  at((place:gsub("\n", "")))
  seen.hovers[place] = hover()
end

at("return twice")
local before = table.concat(text(), "\n")
for _ = 1, 10 do -- a busy machine may have tried no fix in the time that a request waits
  vim.lsp.buf.code_action({ filter = function(action) return action.title:find("astype", 1, true) end, apply = true })
  if vim.wait(10000, function() return table.concat(text(), "\n") ~= before end, 50) then break end
end
wait("an answer about it", function() return #(raw[OURS] or {}) == 1 end)
seen.edited, seen.after = text(), diagnostics()

vim.fn.writefile({ vim.json.encode(seen) }, "seen.json")
vim.cmd("qall!")
