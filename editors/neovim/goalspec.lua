-- The set-up of Neovim 0.11 or newer for goalspec.
vim.filetype.add({
  extension = { game = "goalspec-game", goal = "goalspec-game", bddl = "bddl", pddl = "pddl" },
})
vim.lsp.config("goalspec", {
  cmd = { "goalspec", "lsp" },
  filetypes = { "goalspec-game", "bddl", "pddl", "yaml", "python", "toml" },
  root_markers = { "goalspec.toml", ".git" },
})
vim.lsp.enable("goalspec")

-- Commands of lenses show their report in a new window.
local commands = { "score", "why", "plan", "validate", "simulate", "audit", "options", "describe", "diff", "export" }
for _, name in ipairs(commands) do
  vim.lsp.commands["goalspec." .. name] = function(command, context)
    local client = vim.lsp.get_client_by_id(context.client_id)
    local params = { command = command.command, arguments = command.arguments }
    client:request("workspace/executeCommand", params, function(failure, report)
      if failure or not report then
        return vim.notify(failure and failure.message or "no report", vim.log.levels.WARN)
      end
      vim.cmd.new()
      vim.bo.buftype, vim.bo.filetype = "nofile", "markdown"
      vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(report.markdown, "\n"))
    end)
  end
end
